//===- OrderedVectors.cpp - Whole vectors, sums in order ------------------===//
//
// Masked vectors do without the buffer: at least one segment has less than n
// elements left, and adding up costs more than the branch of a block.
//
//===----------------------------------------------------------------------===//

#include "OrderedVectors.h"

#include "LaneLoop.h"
#include "SumBuffer.h"
#include "VectorBody.h"

using namespace mlir;
using namespace mlir::splyce;

bool mlir::splyce::canBuffer(const ComputePlan &plan, unsigned width) {
  return !plan.ordered.empty() && !plan.guarded &&
         SumBuffer::takesVectors(plan.ordered, width);
}

/// Append the addends of a block; return the count behind them.
static Value appendMatches(LaneBlock &block, Matches &matches,
                           const ComputePlan &plan, SumBuffer &buffer,
                           Value count) {
  VectorBody body(block, matches);
  SmallVector<Value> vectors;
  for (const Addend &addend : plan.ordered)
    vectors.push_back(body.getVector(addend.value));
  return buffer.appendLanes(vectors, matches.getFoundVector(), count);
}

SmallVector<Value> mlir::splyce::buildOrderedVectors(
    ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
    const LaneOptions &options, const ComputePlan &plan, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(LaneBlock &)> advance) {
  SumBuffer buffer(b, loop, plan.ordered);
  SmallVector<Value> limits = buildLimits(b, loop, options.width);
  auto isInside = [&](ValueRange cursors) {
    return buildIsInside(b, &loop, limits, cursors);
  };
  // The state is the cursors, and the count of matches if there is one.
  auto buildBlock = [&](ValueRange state, Value count) {
    LaneBlock block(b, loop, options.width, state[0], state[1]);
    Matches matches(block, /*simd=*/true, options.intersect);
    SmallVector<Value> next = advance(block);
    if (options.count)
      next.push_back(arith::AddIOp::create(
          b, state.back(), matches.buildCount(/*fromVector=*/true)));
    next.push_back(appendMatches(block, matches, plan, buffer, count));
    return next;
  };
  // Without memory the masked vectors take everything.
  Value some = isInside(inits);
  if (Value available = buffer.getAvailable())
    some = arith::AndIOp::create(b, some, available);
  size_t sums = loop.accumulators.size();
  auto buildAll = [&](OpBuilder &, Location) {
    SmallVector<Value> state(inits.take_front(2));
    llvm::append_range(state, inits.drop_front(2 + sums));
    MatchBuffer::Filled last =
        buffer.buildLoop(state, inits.slice(2, sums), isInside, buildBlock);
    SmallVector<Value> next = buffer.workOff(last.accumulators, last.count);
    next.insert(next.begin(), last.state.begin(), last.state.begin() + 2);
    next.append(last.state.begin() + 2, last.state.end());
    scf::YieldOp::create(b, next);
  };
  auto vectors =
      scf::IfOp::create(b, some, buildAll, [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, inits);
      });
  return SmallVector<Value>(vectors.getResults());
}
