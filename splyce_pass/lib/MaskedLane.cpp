//===- MaskedLane.cpp - Whole vectors, then masked ones -------------------===//
//
// Two loops in place of the scalar one. Each compares a vector of one side with
// a vector of the other and leaves behind the one whose last coordinate is
// smaller, or both if they are equal: nothing further on is a partner of what
// is left behind, and matches are met in the order of their coordinates. The
// second loop runs where a segment has less than a vector left.
//
//===----------------------------------------------------------------------===//

#include "MaskedLane.h"

#include "OrderedVectors.h"

using namespace mlir;
using namespace mlir::splyce;

/// The cursors after a block. Neither waits for the coordinates to be compared,
/// nor for a count of them: this chain bounds the loop. The last vector of a
/// segment moves its cursor behind the end as well: with another step than n,
/// LLVM makes branches of the selections, and they are mispredicted.
static SmallVector<Value> buildWholeAdvance(LaneBlock &block) {
  ImplicitLocOpBuilder &b = block.b;
  std::array<Value, 2> last = {block.getLast(0), block.getLast(1)};
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value full = arith::ConstantIndexOp::create(b, block.width);
  SmallVector<Value> cursors;
  for (unsigned side : {0, 1}) {
    Value done = arith::CmpIOp::create(b, block.getNotGreater(), last[side],
                                       last[1 - side]);
    Value step = arith::SelectOp::create(b, done, full, zero);
    cursors.push_back(arith::AddIOp::create(b, block.getCursor(side, 0), step));
  }
  return cursors;
}

MaskedLane::MaskedLane(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                       const LaneOptions &options)
    : b(b), loop(loop), options(options), plan(planCompute(loop, options)) {}

SmallVector<Value> MaskedLane::buildStart() {
  ComputePhase compute(loop, plan);
  return buildInits(b, loop, options,
                    compute.begin(b, initialAccumulators(loop), options.width));
}

/// How a block finds matches. Whole vectors of a lane alone are not left to
/// vp2intersect: on Zen 5 it takes 17 cycles, comparisons 14.5. Of two lanes
/// side by side it is 10 and 13.
static Intersect chooseForBlock(const IntersectionLoop &loop,
                                const LaneOptions &options, bool masked) {
  bool alone = options.jam == 1;
  if (options.intersect != Intersect::Vp2Intersect || !alone || masked)
    return options.intersect;
  return canPermute(loop, options.width) ? Intersect::Permute
                                         : Intersect::Compare;
}

SmallVector<Value> MaskedLane::buildBlock(ValueRange carried, bool masked) {
  LaneBlock block(b, loop, options.width, carried[0], carried[1]);
  if (masked)
    block.mask();
  Intersect intersect = chooseForBlock(loop, options, masked);
  Matches matches(block, /*simd=*/true, intersect);
  SmallVector<Value> next = buildWholeAdvance(block);
  llvm::append_range(next, buildState(block, matches, options, plan, carried));
  return next;
}

SmallVector<Value> MaskedLane::buildLimits(bool masked) {
  if (masked)
    return {loop.sides[0].end, loop.sides[1].end};
  return splyce::buildLimits(b, loop, options.width);
}

SmallVector<Value> MaskedLane::buildLoop(ValueRange inits, bool masked) {
  return buildLaneLoop(
      b, &loop, inits, buildLimits(masked),
      [&](ValueRange carried) { return buildBlock(carried, masked); });
}

SmallVector<Value> MaskedLane::buildWhole(ValueRange start) {
  if (!canBuffer(plan, options.width))
    return buildLoop(start, /*masked=*/false);
  LaneOptions whole = options;
  // What matches is compressed into the buffer behind the comparisons: with a
  // permutation in between SpMSpV takes 1.27 of the time, SpGEMM at 5 % 1.12.
  if (options.intersect != Intersect::Rotate)
    whole.intersect = Intersect::Compare;
  return buildOrderedVectors(b, loop, whole, plan, start, buildWholeAdvance);
}

FastLane MaskedLane::build(ValueRange start) {
  SmallVector<Value> whole = buildWhole(start);
  SmallVector<Value> rest = buildLoop(whole, /*masked=*/true);
  ValueRange carried(rest);
  SmallVector<Value> accumulators = initialAccumulators(loop);
  SmallVector<Value> sums =
      ComputePhase(loop, plan)
          .finish(b, accumulators, carried.slice(2, accumulators.size()));
  FastLane lane;
  SmallVector<Value> ends;
  for (unsigned side : {0, 1})
    ends.push_back(
        arith::MinUIOp::create(b, carried[side], loop.sides[side].end));
  lane.results = arrangeResults(loop, ends, sums);
  lane.unmasked = arrangeResults(loop, ValueRange(whole).take_front(2), sums);
  lane.matches = options.count ? rest.back() : Value();
  lane.keepsOrder = plan.addends.empty() && !accumulators.empty();
  lane.scalarCompute = !plan.simd;
  return lane;
}

FastLane mlir::splyce::buildMaskedLane(ImplicitLocOpBuilder &b,
                                       const IntersectionLoop &loop,
                                       const LaneOptions &options) {
  MaskedLane lane(b, loop, options);
  return lane.build(lane.buildStart());
}
