//===- FastLane.cpp - The SIMD loop in front ------------------------------===//

#include "Splyce/FastLane.h"

#include "AdvancePhase.h"
#include "LaneLoop.h"

using namespace mlir;
using namespace mlir::splyce;

/// Build one iteration.
static SmallVector<Value> buildBlock(ImplicitLocOpBuilder &b,
                                     const IntersectionLoop &loop,
                                     const LaneOptions &options,
                                     const ComputePlan &plan,
                                     ValueRange carried) {
  LaneBlock block(b, loop, options.width, carried[0], carried[1]);
  Matches matches(block, options.simdMatch);
  SmallVector<Value> next;
  for (unsigned side : {0, 1})
    next.push_back(buildAdvance(block, side, options.simdAdvance));
  llvm::append_range(next, buildState(block, matches, options, plan, carried));
  return next;
}

FastLane mlir::splyce::buildFastLane(ImplicitLocOpBuilder &b,
                                     const IntersectionLoop &loop,
                                     const LaneOptions &options) {
  ComputePlan plan = planCompute(loop, options);
  ComputePhase compute(loop, plan);
  SmallVector<Value> limits = buildLimits(b, loop, options.width);
  SmallVector<Value> accumulators = initialAccumulators(loop);
  SmallVector<Value> inits = buildInits(
      b, loop, options, compute.begin(b, accumulators, options.width));
  SmallVector<Value> results =
      buildLaneLoop(b, &loop, inits, limits, [&](ValueRange carried) {
        return buildBlock(b, loop, options, plan, carried);
      });
  ValueRange carried(results);
  SmallVector<Value> sums =
      compute.finish(b, accumulators, carried.slice(2, accumulators.size()));
  FastLane lane;
  lane.results = arrangeResults(loop, carried.take_front(2), sums);
  lane.matches = options.count ? results.back() : Value();
  lane.keepsOrder = plan.addends.empty() && !accumulators.empty();
  lane.scalarCompute = !plan.simd;
  return lane;
}
