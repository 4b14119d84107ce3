//===- FastLane.cpp - The SIMD loop in front ------------------------------===//

#include "Splyce/FastLane.h"

#include "AdvancePhase.h"
#include "ComputePhase.h"
#include "MatchPhase.h"

using namespace mlir;
using namespace mlir::splyce;

/// The bound below which a whole block is left: `cursor < limit` is the same
/// as `cursor + n <= end`, and neither overflows nor wraps for a short end.
static Value buildLimit(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                        unsigned width) {
  Value rest = arith::ConstantIndexOp::create(b, width - 1);
  Value end = side.signedBound
                  ? Value(arith::MaxSIOp::create(b, side.end, rest))
                  : Value(arith::MaxUIOp::create(b, side.end, rest));
  return arith::SubIOp::create(b, end, rest);
}

/// Build the condition of the lane: a whole block is left on both sides.
static void buildCondition(ImplicitLocOpBuilder &b,
                           const IntersectionLoop &loop, ArrayRef<Value> limits,
                           ValueRange carried) {
  SmallVector<Value> bounds;
  for (unsigned side : {0, 1}) {
    arith::CmpIPredicate less = loop.sides[side].signedBound
                                    ? arith::CmpIPredicate::slt
                                    : arith::CmpIPredicate::ult;
    bounds.push_back(
        arith::CmpIOp::create(b, less, carried[side], limits[side]));
  }
  Value both = arith::AndIOp::create(b, bounds[0], bounds[1]);
  scf::ConditionOp::create(b, both, carried);
}

/// Build one iteration. Carried are the cursors, the state of phase 2, and the
/// count of matches if there is one.
static void buildBlock(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                       const LaneOptions &options, const ComputePlan &plan,
                       ValueRange carried) {
  LaneBlock block(b, loop, options.width, carried[0], carried[1]);
  Matches matches(block, options.simdMatch);
  SmallVector<Value> next;
  for (unsigned side : {0, 1})
    next.push_back(buildAdvance(block, side, options.simdAdvance));
  ValueRange state = carried.slice(2, loop.accumulators.size());
  llvm::append_range(next,
                     ComputePhase(loop, plan).build(block, matches, state));
  if (options.count) {
    Value count = matches.buildCount(plan.simd);
    next.push_back(arith::AddIOp::create(b, carried.back(), count));
  }
  scf::YieldOp::create(b, next);
}

/// The initial values of the accumulators.
static SmallVector<Value> initialAccumulators(const IntersectionLoop &loop) {
  SmallVector<Value> values;
  for (unsigned arg : loop.accumulators)
    values.push_back(scf::WhileOp(loop.loop).getInits()[arg]);
  return values;
}

/// Put cursors and accumulators where the scalar loop has them.
static SmallVector<Value> arrangeResults(const IntersectionLoop &loop,
                                         ValueRange cursors,
                                         ValueRange accumulators) {
  SmallVector<Value> results(cursors.size() + accumulators.size());
  for (unsigned side : {0, 1})
    results[loop.sides[side].arg] = cursors[side];
  for (auto [arg, value] : llvm::zip(loop.accumulators, accumulators))
    results[arg] = value;
  return results;
}

/// The values that the lane starts with.
static SmallVector<Value> buildInits(ImplicitLocOpBuilder &b,
                                     const IntersectionLoop &loop,
                                     const LaneOptions &options,
                                     ValueRange state) {
  SmallVector<Value> inits;
  for (const IntersectionSide &side : loop.sides)
    inits.push_back(scf::WhileOp(loop.loop).getInits()[side.arg]);
  llvm::append_range(inits, state);
  if (options.count)
    inits.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  return inits;
}

FastLane mlir::splyce::buildFastLane(ImplicitLocOpBuilder &b,
                                     const IntersectionLoop &loop,
                                     const LaneOptions &options) {
  ComputePlan plan = planCompute(loop, options);
  ComputePhase compute(loop, plan);
  SmallVector<Value> limits;
  for (const IntersectionSide &side : loop.sides)
    limits.push_back(buildLimit(b, side, options.width));
  SmallVector<Value> accumulators = initialAccumulators(loop);
  SmallVector<Value> inits = buildInits(
      b, loop, options, compute.begin(b, accumulators, options.width));
  auto lane = scf::WhileOp::create(
      b, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &, Location, ValueRange carried) {
        buildCondition(b, loop, limits, carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) {
        buildBlock(b, loop, options, plan, carried);
      });
  ValueRange results = lane.getResults();
  SmallVector<Value> sums =
      compute.finish(b, accumulators, results.slice(2, accumulators.size()));
  return {arrangeResults(loop, results.take_front(2), sums),
          options.count ? results.back() : Value(),
          /*keepsOrder=*/plan.addends.empty() && !accumulators.empty(),
          /*scalarCompute=*/!plan.simd};
}
