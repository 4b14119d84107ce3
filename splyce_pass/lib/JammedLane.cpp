//===- JammedLane.cpp - Two masked lanes in one loop ----------------------===//
//
// In a lane the load of a last coordinate, its comparison, the selection of a
// step and the new cursor wait for each other. Those of two iterations of the
// loop outside do not. The blocks of either are those of the masked lane alone,
// in the same order, and so are the bits of its sum; only with vp2intersect the
// lanes of the vector that keeps it are others.
//
//===----------------------------------------------------------------------===//

#include "JammedLane.h"

#include "MaskedLane.h"
#include "UnrollLoop.h"

using namespace mlir;
using namespace mlir::splyce;

LogicalResult mlir::splyce::checkJam(const IntersectionLoop &loop,
                                     const LaneOptions &options,
                                     std::string &reason) {
  if (failed(checkUnroll(loop, reason)))
    return failure();
  if (planCompute(loop, options).vectorState)
    return success();
  reason = "its sum is not kept in a vector";
  return failure();
}

namespace {

/// Builds what takes the place of the two loops.
class JammedLane {
public:
  JammedLane(const std::array<IntersectionLoop, 2> &loops,
             const std::optional<HoistedSegment> &hoisted,
             const LaneOptions &options)
      : loops(loops), options(options),
        tests{OverlapTest(loops[0], hoisted), OverlapTest(loops[1], hoisted)},
        b(scf::WhileOp(loops[0].loop).getLoc(), findSum(loops[0])->load),
        lanes{MaskedLane(b, loops[0], options),
              MaskedLane(b, loops[1], options)} {}

  FastLane build();

private:
  scf::IfOp buildIf(Value condition);
  SmallVector<Value> buildLoop(ValueRange inits, bool masked);
  FastLane finish(unsigned number, Value overlaps, ValueRange carried,
                  Operation *end);

  const std::array<IntersectionLoop, 2> &loops;
  const LaneOptions &options;
  const std::array<OverlapTest, 2> tests;
  ImplicitLocOpBuilder b;
  std::array<MaskedLane, 2> lanes;
};

} // namespace

/// Build a test, and go on under it.
scf::IfOp JammedLane::buildIf(Value condition) {
  auto test = scf::IfOp::create(
      b, condition, [&](OpBuilder &, Location) { scf::YieldOp::create(b); });
  b.setInsertionPoint(test.thenBlock()->getTerminator());
  return test;
}

/// Build the loop that runs while both lanes have a block left.
SmallVector<Value> JammedLane::buildLoop(ValueRange inits, bool masked) {
  SmallVector<Value> limits;
  for (MaskedLane &lane : lanes)
    llvm::append_range(limits, lane.buildLimits(masked));
  return buildLaneLoop(
      b, {&loops[0], &loops[1]}, inits, limits, [&](ValueRange carried) {
        size_t share = carried.size() / 2;
        SmallVector<Value> next =
            lanes[0].buildBlock(carried.take_front(share), masked);
        llvm::append_range(
            next, lanes[1].buildBlock(carried.drop_front(share), masked));
        return next;
      });
}

/// Finish one of the lanes on its own, with the sum in memory, if it may have
/// matched.
FastLane JammedLane::finish(unsigned number, Value overlaps, ValueRange carried,
                            Operation *end) {
  const IntersectionLoop &loop = loops[number];
  scf::WhileOp scalar = loop.loop;
  SumInMemory sum = *findSum(loop);
  for (Operation *op : {sum.load.getOperation(), scalar.getOperation(),
                        sum.store.getOperation()})
    op->moveBefore(end);
  moveUnder(loop, overlaps);
  b.setInsertionPoint(scalar);
  FastLane fast = lanes[number].build(carried);
  scalar->replaceAllUsesWith(fast.results);
  scalar->erase();
  return fast;
}

FastLane JammedLane::build() {
  buildIf(tests[0].buildMayLoad(b));
  std::array<Value, 2> overlaps = {tests[0].build(b), tests[1].build(b)};
  scf::IfOp some = buildIf(arith::OrIOp::create(b, overlaps[0], overlaps[1]));
  SmallVector<Value> carried;
  for (MaskedLane &lane : lanes)
    llvm::append_range(carried, lane.buildStart());
  for (bool masked : {false, true})
    carried = buildLoop(carried, masked);
  Operation *end = some.thenBlock()->getTerminator();
  ValueRange all(carried);
  size_t share = all.size() / 2;
  finish(0, overlaps[0], all.take_front(share), end);
  return finish(1, overlaps[1], all.drop_front(share), end);
}

FastLane
mlir::splyce::buildJammedLane(const std::array<IntersectionLoop, 2> &loops,
                              const std::optional<HoistedSegment> &hoisted,
                              const LaneOptions &options) {
  return JammedLane(loops, hoisted, options).build();
}
