//===- WorkspaceLookups.cpp - Look coordinates up in a workspace ----------===//
//
// Each element of the other side looks up its coordinate. Matches are met in
// the order of their coordinates, as in the scalar loop. Groups of elements
// append what they find to a buffer, addends or, of a body that may not run
// without a match, themselves; or they add it to several sums. Other updates
// are selected away where there is no tag, one by one.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLookups.h"

#include "LaneCounters.h"
#include "LaneLoop.h"
#include "SegmentGuard.h"
#include "SeveralSums.h"
#include "SumBuffer.h"
#include "UpdateBuffer.h"

using namespace mlir;
using namespace mlir::splyce;

namespace {

/// Builds the loops and their iterations.
class Lookups {
public:
  Lookups(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
          const WorkspacePlan &plan, const LaneOptions &options,
          const Workspace &workspace)
      : b(b), loop(loop), plan(plan), options(options),
        other(loop.sides[1 - plan.side]), body(b, loop, plan, workspace) {
    if (loop.speculatable)
      addends = matchAddends(loop);
    if (hasSeveralSums(loop, options))
      return;
    if (!addends.empty())
      buffer = std::make_unique<SumBuffer>(b, loop, addends);
    else if (!loop.speculatable)
      buffer = std::make_unique<UpdateBuffer>(b, loop, body);
  }

  SmallVector<Value> build();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  SmallVector<Value> buildElement(Value cursor, ValueRange carried);
  SmallVector<Value> buildSingly(Value from, ValueRange carried);
  Value appendElement(Value cursor, Value isInside, Value count,
                      Value *matches);
  SmallVector<Value> appendGroup(ValueRange state, Value count);
  SmallVector<Value> appendRest(ValueRange state, Value count);
  SmallVector<Value> buildGroups(Value first, ValueRange carried);
  SmallVector<Value> buildAll(Value first, ValueRange carried);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  const IntersectionSide &other;
  LookupBody body;
  /// Empty unless updates are sums that may be run for every element.
  SmallVector<Addend> addends;
  /// What keeps updates in order without a branch for each element.
  std::unique_ptr<MatchBuffer> buffer;
};

} // namespace

//===----------------------------------------------------------------------===//
// One by one
//===----------------------------------------------------------------------===//

/// Look one element up; return the accumulators and the count of matches, if
/// there is one.
SmallVector<Value> Lookups::buildElement(Value cursor, ValueRange carried) {
  Lookup lookup = body.buildLookup(cursor);
  SmallVector<Value> next =
      body.buildUpdates(lookup, carried.take_front(loop.accumulators.size()));
  if (options.count)
    next.push_back(body.countMatch(carried.back(), lookup));
  return next;
}

/// Look the elements from a cursor on up.
SmallVector<Value> Lookups::buildSingly(Value from, ValueRange carried) {
  auto lookups =
      scf::ForOp::create(b, from, other.end, constant(1), carried,
                         [&](OpBuilder &, Location, Value at, ValueRange args) {
                           scf::YieldOp::create(b, buildElement(at, args));
                         });
  return SmallVector<Value>(lookups.getResults());
}

//===----------------------------------------------------------------------===//
// In groups
//===----------------------------------------------------------------------===//

/// Look an element up and append what is to be done about it, unless it is
/// outside; return the count.
Value Lookups::appendElement(Value cursor, Value isInside, Value count,
                             Value *matches) {
  Lookup lookup = body.buildLookup(cursor);
  if (isInside)
    lookup.tag = arith::SelectOp::create(
        b, isInside, lookup.tag,
        arith::ConstantIntOp::create(b, b.getI8Type(), 0));
  if (matches)
    *matches = body.countMatch(*matches, lookup);
  Value found = arith::IndexCastUIOp::create(b, b.getIndexType(), lookup.tag);
  SmallVector<Value> waiting = {cursor};
  if (!addends.empty())
    waiting = body.buildAddends(lookup, addends);
  return buffer->append(waiting, found, count);
}

/// Look a group up. The state is the cursor, and the count of matches if there
/// is one.
SmallVector<Value> Lookups::appendGroup(ValueRange state, Value count) {
  Value cursor = state.front();
  SmallVector<Value> next(state);
  body.buildPrefetch(cursor);
  for (int64_t i = 0; i < kLookupGroup; ++i) {
    Value at = i ? arith::AddIOp::create(b, cursor, constant(i)) : cursor;
    count = appendElement(at, /*isInside=*/Value(), count,
                          options.count ? &next.back() : nullptr);
  }
  next.front() = arith::AddIOp::create(b, cursor, constant(kLookupGroup));
  next.push_back(count);
  return next;
}

/// Look up what is less than a group: how many elements that are cannot be
/// predicted, so that the last one stands in for those behind it.
SmallVector<Value> Lookups::appendRest(ValueRange state, Value count) {
  SmallVector<Value> next(state);
  Value last = buildLastCursor(b, loop, 1 - plan.side);
  for (int64_t i = 0; i + 1 < kLookupGroup; ++i) {
    Value at = arith::AddIOp::create(b, state.front(), constant(i));
    Value isInside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, other.end);
    count = appendElement(arith::MinUIOp::create(b, at, last), isInside, count,
                          options.count ? &next.back() : nullptr);
  }
  next.push_back(count);
  return next;
}

/// Look all elements up; return the accumulators and the count of matches, if
/// there is one.
SmallVector<Value> Lookups::buildGroups(Value first, ValueRange carried) {
  size_t size = loop.accumulators.size();
  SmallVector<Value> state = {first};
  llvm::append_range(state, carried.drop_front(size));
  Value length = arith::SubIOp::create(b, other.end, first);
  Value rest = arith::RemUIOp::create(b, length, constant(kLookupGroup));
  Value end = arith::SubIOp::create(b, other.end, rest);
  MatchBuffer::Filled filled = buffer->buildLoop(
      state, carried.take_front(size),
      [&](ValueRange args) -> Value {
        return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, args.front(),
                                     end);
      },
      [&](ValueRange args, Value count) { return appendGroup(args, count); });
  SmallVector<Value> last = appendRest(filled.state, filled.count);
  SmallVector<Value> next = buffer->workOff(filled.accumulators, last.back());
  if (options.count)
    next.push_back(last[1]);
  return next;
}

/// Look all elements up, with a buffer as the memory allows.
SmallVector<Value> Lookups::buildAll(Value first, ValueRange carried) {
  if (hasSeveralSums(loop, options))
    return buildSeveralSums(b, body, addends, first, other.end, carried);
  if (!buffer)
    return buildSingly(first, carried);
  Value available = buffer->getAvailable();
  if (!available)
    return buildGroups(first, carried);
  auto lookups = scf::IfOp::create(
      b, available,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, buildGroups(first, carried));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, buildSingly(first, carried));
      });
  return SmallVector<Value>(lookups.getResults());
}

SmallVector<Value> Lookups::build() {
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg];
  SmallVector<Value> carried = initialAccumulators(loop);
  if (options.count)
    carried.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  SmallVector<Value> last = buildAll(first, carried);
  if (options.count)
    buildWorkspaceCounters(b, first, other.end, last.back());
  last.truncate(loop.accumulators.size());
  return last;
}

SmallVector<Value> mlir::splyce::buildLookups(ImplicitLocOpBuilder &b,
                                              const IntersectionLoop &loop,
                                              const WorkspacePlan &plan,
                                              const LaneOptions &options,
                                              const Workspace &workspace) {
  return Lookups(b, loop, plan, options, workspace).build();
}
