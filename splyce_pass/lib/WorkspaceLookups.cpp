//===- WorkspaceLookups.cpp - Look coordinates up in a workspace ----------===//
//
// Each element of the other side looks up its coordinate. Matches are met in
// the order of their coordinates, as in the scalar loop. Sums take a buffer in
// groups of elements; what is left of a segment, and updates that are no sums,
// are selected away where there is no tag.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLookups.h"

#include "LaneCounters.h"
#include "LaneLoop.h"
#include "MatchBuffer.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

/// Elements of an iteration: a cache line of coordinates or values is fetched
/// once, `kAhead` elements before it is read. That is as long as memory takes.
static constexpr int64_t kGroup = 8, kAhead = 256;

Value mlir::splyce::loadIndex(ImplicitLocOpBuilder &b,
                              const IntersectionSide &side, Value cursor) {
  Value coordinate = memref::LoadOp::create(b, side.coordinates, cursor);
  if (coordinate.getType().isIndex())
    return coordinate;
  if (side.extension == Extension::Sign)
    return arith::IndexCastOp::create(b, b.getIndexType(), coordinate);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
}

namespace {

/// A coordinate of the other side, and its tag (i8).
struct Lookup {
  Value coordinate, tag;
};

/// Builds the loops and their iterations.
class Lookups {
public:
  Lookups(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
          const WorkspacePlan &plan, const LaneOptions &options,
          const Workspace &workspace)
      : b(b), loop(loop), plan(plan), options(options), workspace(workspace),
        other(loop.sides[1 - plan.side]) {
    if (loop.speculatable)
      addends = matchAddends(loop);
    if (!addends.empty())
      buffer.emplace(b, loop, addends);
    for (Operation *op : loop.body)
      if (auto load = dyn_cast<memref::LoadOp>(op))
        if (loop.getSideOfLoad(load) == 1 - plan.side &&
            load.getMemRef() != other.coordinates)
          otherArrays.push_back(load.getMemRef());
  }

  SmallVector<Value> build();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Lookup buildLookup(Value cursor);
  void cloneOp(Operation *op, IRMapping &mapping, Value coordinate);
  SmallVector<Value> cloneBody(IRMapping &mapping, Value coordinate);
  SmallVector<Value> cloneAddends(IRMapping &mapping, Value coordinate);
  SmallVector<Value> buildSums(IRMapping &mapping, Value coordinate,
                               Value found);
  SmallVector<Value> buildUpdates(IRMapping &mapping, Value coordinate,
                                  Value found, ValueRange old);
  SmallVector<Value> buildElement(Value cursor, ValueRange carried);
  SmallVector<Value> buildSingly(Value from, ValueRange carried);
  void buildPrefetch(Value cursor);
  Value countMatch(Value matches, Value tag);
  SmallVector<Value> appendGroup(ValueRange state, Value count);
  SmallVector<Value> buildGroups(Value first, Value end, ValueRange carried);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  const Workspace &workspace;
  const IntersectionSide &other;
  /// Empty unless updates are sums that may be run for every element.
  SmallVector<Addend> addends;
  std::optional<MatchBuffer> buffer;
  /// What the body reads at the cursor of the other side.
  SmallVector<Value> otherArrays;
};

} // namespace

//===----------------------------------------------------------------------===//
// An element
//===----------------------------------------------------------------------===//

Lookup Lookups::buildLookup(Value cursor) {
  Value coordinate = loadIndex(b, other, cursor);
  return {coordinate, memref::LoadOp::create(b, workspace.tags, coordinate)};
}

/// Repeat an operation of the body for an element of the other side; what it
/// reads at the cursor of this side is in the workspace.
void Lookups::cloneOp(Operation *op, IRMapping &mapping, Value coordinate) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || loop.getSideOfLoad(load) != plan.side) {
    b.clone(*op, mapping);
    return;
  }
  Value element = coordinate;
  if (load.getMemRef() != loop.sides[plan.side].coordinates) {
    auto number = llvm::find(plan.arrays, load.getMemRef());
    element = memref::LoadOp::create(
        b, workspace.elements[number - plan.arrays.begin()], coordinate);
  } else if (!load.getType().isIndex()) {
    element = arith::IndexCastOp::create(b, load.getType(), coordinate);
  }
  mapping.map(load.getResult(), element);
}

/// Repeat the whole body; return the accumulators behind it.
SmallVector<Value> Lookups::cloneBody(IRMapping &mapping, Value coordinate) {
  for (Operation *op : loop.body)
    cloneOp(op, mapping, coordinate);
  SmallVector<Value> updated;
  for (Value update : loop.updates)
    updated.push_back(mapping.lookupOrDefault(update));
  return updated;
}

/// Repeat the body without the additions; return what they add.
SmallVector<Value> Lookups::cloneAddends(IRMapping &mapping, Value coordinate) {
  auto isUpdate = [&](Operation *op) {
    return llvm::is_contained(loop.updates, op->getResult(0));
  };
  for (Operation *op : loop.body)
    if (!isUpdate(op))
      cloneOp(op, mapping, coordinate);
  SmallVector<Value> values;
  for (const Addend &addend : addends)
    values.push_back(mapping.lookupOrDefault(addend.value));
  return values;
}

/// Repeat sums with the number that changes nothing in place of what has no
/// partner: unlike a selected sum, this adds nothing to the chain of additions.
SmallVector<Value> Lookups::buildSums(IRMapping &mapping, Value coordinate,
                                      Value found) {
  SmallVector<Value> sums;
  for (auto [update, addend, value] :
       llvm::zip(loop.updates, addends, cloneAddends(mapping, coordinate))) {
    Value neutral = arith::ConstantOp::create(
        b, b.getFloatAttr(value.getType(), addend.isSubtracted ? 0.0 : -0.0));
    IRMapping sum = mapping;
    sum.map(addend.value,
            arith::SelectOp::create(b, found, value, neutral).getResult());
    sums.push_back(b.clone(*update.getDefiningOp(), sum)->getResult(0));
  }
  return sums;
}

/// Build the accumulators behind an element, as they were if it is not found.
SmallVector<Value> Lookups::buildUpdates(IRMapping &mapping, Value coordinate,
                                         Value found, ValueRange old) {
  if (!addends.empty())
    return buildSums(mapping, coordinate, found);
  if (!loop.speculatable) {
    auto branch = scf::IfOp::create(
        b, found,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, cloneBody(mapping, coordinate));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, old); });
    return SmallVector<Value>(branch.getResults());
  }
  SmallVector<Value> next;
  for (auto [before, after] : llvm::zip(old, cloneBody(mapping, coordinate)))
    next.push_back(arith::SelectOp::create(b, found, after, before));
  return next;
}

/// Count a match (i64).
Value Lookups::countMatch(Value matches, Value tag) {
  Value one = arith::ExtUIOp::create(b, b.getI64Type(), tag);
  return arith::AddIOp::create(b, matches, one);
}

//===----------------------------------------------------------------------===//
// One by one
//===----------------------------------------------------------------------===//

/// Look one element up; return the accumulators and the count of matches, if
/// there is one.
SmallVector<Value> Lookups::buildElement(Value cursor, ValueRange carried) {
  ValueRange old = carried.take_front(loop.accumulators.size());
  auto [coordinate, tag] = buildLookup(cursor);
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  Value found = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, tag, none);
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), cursor);
  for (auto [k, accumulator] : llvm::enumerate(old))
    mapping.map(loop.getAccumulator(k), accumulator);
  SmallVector<Value> next = buildUpdates(mapping, coordinate, found, old);
  if (options.count)
    next.push_back(countMatch(carried.back(), tag));
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

/// Fetch what the other side has further on, also behind the segment: where the
/// operand is larger than the caches the next segments stand there.
void Lookups::buildPrefetch(Value cursor) {
  Value ahead = arith::AddIOp::create(b, cursor, constant(kAhead));
  auto fetch = [&](Value array) {
    memref::PrefetchOp::create(b, array, ahead, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  };
  fetch(other.coordinates);
  for (Value array : otherArrays)
    fetch(array);
}

/// Look a group up and append what it adds. The state is the cursor, and the
/// count of matches if there is one.
SmallVector<Value> Lookups::appendGroup(ValueRange state, Value count) {
  Value cursor = state.front();
  SmallVector<Value> next(state);
  buildPrefetch(cursor);
  for (int64_t i = 0; i < kGroup; ++i) {
    Value at = i ? arith::AddIOp::create(b, cursor, constant(i)) : cursor;
    auto [coordinate, tag] = buildLookup(at);
    IRMapping mapping;
    mapping.map(loop.getCursor(1 - plan.side), at);
    SmallVector<Value> values = cloneAddends(mapping, coordinate);
    Value found = arith::IndexCastUIOp::create(b, b.getIndexType(), tag);
    count = buffer->append(values, found, count);
    if (options.count)
      next.back() = countMatch(next.back(), tag);
  }
  next.front() = arith::AddIOp::create(b, cursor, constant(kGroup));
  next.push_back(count);
  return next;
}

/// Look whole groups up; return the accumulators and the count of matches, if
/// there is one.
SmallVector<Value> Lookups::buildGroups(Value first, Value end,
                                        ValueRange carried) {
  size_t sums = loop.accumulators.size();
  SmallVector<Value> state = {first};
  llvm::append_range(state, carried.drop_front(sums));
  SmallVector<Value> last = buffer->buildLoop(
      state, carried.take_front(sums),
      [&](ValueRange args) -> Value {
        return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, args.front(),
                                     end);
      },
      [&](ValueRange args, Value count) { return appendGroup(args, count); });
  ArrayRef<Value> all(last);
  SmallVector<Value> next(all.take_back(sums));
  llvm::append_range(next, all.drop_front().drop_back(sums));
  return next;
}

SmallVector<Value> Lookups::build() {
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg], from = first;
  SmallVector<Value> carried = initialAccumulators(loop);
  if (options.count)
    carried.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  if (buffer) {
    Value length = arith::SubIOp::create(b, other.end, first);
    Value rest = arith::RemUIOp::create(b, length, constant(kGroup));
    from = arith::SubIOp::create(b, other.end, rest);
    if (Value available = buffer->getAvailable())
      from = arith::SelectOp::create(b, available, from, first);
    carried = buildGroups(first, from, carried);
  }
  SmallVector<Value> last = buildSingly(from, carried);
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
