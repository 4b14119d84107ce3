//===- LaneLoop.cpp - The loop around the blocks --------------------------===//

#include "LaneLoop.h"

using namespace mlir;
using namespace mlir::splyce;

LogicalResult mlir::splyce::checkReplaceable(const IntersectionLoop &loop,
                                             std::string &reason) {
  // The scalar loop stops in the middle of a segment, other loops elsewhere.
  for (const IntersectionSide &side : loop.sides)
    if (!scf::WhileOp(loop.loop).getResult(side.arg).use_empty()) {
      reason = "its last cursors are used";
      return failure();
    }
  return success();
}

SmallVector<Value>
mlir::splyce::initialAccumulators(const IntersectionLoop &loop) {
  SmallVector<Value> values;
  for (unsigned arg : loop.accumulators)
    values.push_back(scf::WhileOp(loop.loop).getInits()[arg]);
  return values;
}

SmallVector<Value> mlir::splyce::buildInits(ImplicitLocOpBuilder &b,
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

SmallVector<Value> mlir::splyce::buildLimits(ImplicitLocOpBuilder &b,
                                             const IntersectionLoop &loop,
                                             unsigned width) {
  SmallVector<Value> limits;
  for (const IntersectionSide &side : loop.sides)
    limits.push_back(buildLimit(b, side, width));
  return limits;
}

Value mlir::splyce::buildIsInside(ImplicitLocOpBuilder &b,
                                  ArrayRef<const IntersectionLoop *> loops,
                                  ArrayRef<Value> limits, ValueRange carried) {
  Value all;
  size_t share = carried.size() / loops.size();
  for (auto [number, loop] : llvm::enumerate(loops)) {
    for (unsigned side : {0, 1}) {
      arith::CmpIPredicate less = loop->sides[side].signedBound
                                      ? arith::CmpIPredicate::slt
                                      : arith::CmpIPredicate::ult;
      Value below = arith::CmpIOp::create(
          b, less, carried[number * share + side], limits[2 * number + side]);
      all = all ? Value(arith::AndIOp::create(b, all, below)) : below;
    }
  }
  return all;
}

SmallVector<Value> mlir::splyce::buildLaneLoop(
    ImplicitLocOpBuilder &b, ArrayRef<const IntersectionLoop *> loops,
    ValueRange inits, ArrayRef<Value> limits,
    llvm::function_ref<SmallVector<Value>(ValueRange)> block) {
  auto lane = scf::WhileOp::create(
      b, TypeRange(inits), inits,
      [&](OpBuilder &, Location, ValueRange carried) {
        Value inside = buildIsInside(b, loops, limits, carried);
        scf::ConditionOp::create(b, inside, carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) {
        scf::YieldOp::create(b, block(carried));
      });
  return SmallVector<Value>(lane.getResults());
}

SmallVector<Value> mlir::splyce::buildState(LaneBlock &block, Matches &matches,
                                            const LaneOptions &options,
                                            const ComputePlan &plan,
                                            ValueRange carried) {
  const IntersectionLoop &loop = block.loop;
  ValueRange state = carried.slice(2, loop.accumulators.size());
  SmallVector<Value> next =
      ComputePhase(loop, plan).build(block, matches, state);
  if (options.count) {
    Value count = matches.buildCount(plan.simd);
    next.push_back(arith::AddIOp::create(block.b, carried.back(), count));
  }
  return next;
}

SmallVector<Value> mlir::splyce::arrangeResults(const IntersectionLoop &loop,
                                                ValueRange cursors,
                                                ValueRange accumulators) {
  SmallVector<Value> results(cursors.size() + accumulators.size());
  for (unsigned side : {0, 1})
    results[loop.sides[side].arg] = cursors[side];
  for (auto [arg, value] : llvm::zip(loop.accumulators, accumulators))
    results[arg] = value;
  return results;
}
