//===- WorkspaceLookups.cpp - Look coordinates up in a workspace ----------===//
//
// Each element of the other side looks up its coordinate; what has no tag is
// selected away. Matches are met in the order of their coordinates, as in the
// scalar loop, and added to one sum, or in turn to several sums: one addition
// waits for another.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLookups.h"

#include "LaneCounters.h"
#include "LaneLoop.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

/// Sums that `fp-order=free` adds up side by side. On Zen 5 an addition takes
/// as long as the loads of two to three lookups.
static constexpr int64_t kSums = 4;

/// Elements of an iteration: a cache line of coordinates or values is fetched
/// once, `kAhead` elements before it is read. That is as long as memory takes.
static constexpr int64_t kGroup = 8, kAhead = 256;
/// Elements that are all looked up before the loop. How many a short segment
/// has cannot be predicted, and that none of them matches can.
static constexpr int64_t kShort = 8;
/// The same where segments have one element or less on average.
static constexpr int64_t kTiny = 2;

bool mlir::splyce::hasSeveralSums(const IntersectionLoop &loop,
                                  const LaneOptions &options) {
  return options.order == FPOrder::Free && loop.speculatable &&
         !matchAddends(loop).empty();
}

Value mlir::splyce::loadIndex(ImplicitLocOpBuilder &b,
                              const IntersectionSide &side, Value cursor) {
  Value coordinate = memref::LoadOp::create(b, side.coordinates, cursor);
  if (coordinate.getType().isIndex())
    return coordinate;
  if (side.extension == Extension::Sign)
    return arith::IndexCastOp::create(b, b.getIndexType(), coordinate);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
}

/// Look the first elements of the other segment up, and its last one again
/// where it has fewer: whether one has a tag.
static Value buildAnyTag(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                         const WorkspacePlan &plan, const Workspace &workspace,
                         int64_t count) {
  const IntersectionSide &other = loop.sides[1 - plan.side];
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg];
  Value last = buildLastCursor(b, loop, 1 - plan.side);
  SmallVector<Value> tags;
  for (int64_t i = 0; i < count; ++i) {
    Value offset = arith::ConstantIndexOp::create(b, i);
    Value cursor = arith::AddIOp::create(b, first, offset);
    cursor = arith::MinUIOp::create(b, cursor, last);
    tags.push_back(
        memref::LoadOp::create(b, workspace.tags, loadIndex(b, other, cursor)));
  }
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, anyOf(b, tags),
                               none);
}

/// Whether the segments of a level have one element or less on average.
static Value buildIsScarce(ImplicitLocOpBuilder &b, const StorageLevel &level) {
  auto get = [&](sparse_tensor::StorageSpecifierKind kind) -> Value {
    return sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier,
        sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
        level.level);
  };
  return arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult,
      get(sparse_tensor::StorageSpecifierKind::CrdMemSize),
      get(sparse_tensor::StorageSpecifierKind::PosMemSize));
}

Value mlir::splyce::buildMayMatch(ImplicitLocOpBuilder &b,
                                  const IntersectionLoop &loop,
                                  const WorkspacePlan &plan,
                                  const Workspace &workspace,
                                  CoordinateRange range) {
  unsigned side = 1 - plan.side;
  Value first = scf::WhileOp(loop.loop).getInits()[loop.sides[side].arg];
  Value length = arith::SubIOp::create(b, loop.sides[side].end, first);
  auto isUpTo = [&](int64_t count) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, length,
                                 arith::ConstantIndexOp::create(b, count));
  };
  auto choose = [&](Value condition, llvm::function_ref<Value()> yes,
                    llvm::function_ref<Value()> no) -> Value {
    auto choice = scf::IfOp::create(
        b, condition,
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, yes()); },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, no()); });
    return choice.getResult(0);
  };
  auto overlaps = [&] {
    CoordinateRange possible = loadPossibleRange(b, loop, side);
    return buildOverlap(b, loop, {range, possible});
  };
  auto anyOfFirst = [&](int64_t count) {
    return buildAnyTag(b, loop, plan, workspace, count);
  };
  Value isScarce = buildIsScarce(b, plan.levels[side]);
  Value isTiny = arith::AndIOp::create(b, isScarce, isUpTo(kTiny));
  return choose(
      isTiny, [&] { return anyOfFirst(kTiny); },
      [&] {
        return choose(
            isUpTo(kShort), [&] { return anyOfFirst(kShort); }, overlaps);
      });
}

namespace {

/// Builds the loop and its iterations.
class Lookups {
public:
  Lookups(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
          const WorkspacePlan &plan, const LaneOptions &options,
          const Workspace &workspace)
      : b(b), loop(loop), plan(plan), options(options), workspace(workspace),
        other(loop.sides[1 - plan.side]),
        addends(loop.speculatable ? matchAddends(loop)
                                  : SmallVector<Addend>()) {
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
  void cloneOp(Operation *op, IRMapping &mapping, Value coordinate);
  SmallVector<Value> cloneBody(IRMapping &mapping, Value coordinate);
  SmallVector<Value> buildSums(IRMapping &mapping, Value coordinate,
                               Value found);
  SmallVector<Value> buildUpdates(IRMapping &mapping, Value coordinate,
                                  Value found, ValueRange old);
  void buildElement(Value cursor, MutableArrayRef<Value> state, Value *count);
  void buildPrefetch(Value cursor);
  SmallVector<Value> buildSteps(Value from, Value to, int64_t step,
                                int64_t sets, ValueRange carried);
  SmallVector<Value> buildGroups(Value first, int64_t sets, ValueRange carried);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  const Workspace &workspace;
  const IntersectionSide &other;
  /// Empty unless updates are sums that may be run for every element.
  SmallVector<Addend> addends;
  /// What the body reads at the cursor of the other side.
  SmallVector<Value> otherArrays;
};

} // namespace

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

/// Repeat sums with the number that changes nothing in place of what has no
/// partner: unlike a selected sum, this adds nothing to the chain of additions.
SmallVector<Value> Lookups::buildSums(IRMapping &mapping, Value coordinate,
                                      Value found) {
  auto isUpdate = [&](Operation *op) {
    return llvm::is_contained(loop.updates, op->getResult(0));
  };
  for (Operation *op : loop.body)
    if (!isUpdate(op))
      cloneOp(op, mapping, coordinate);
  SmallVector<Value> sums;
  for (auto [update, addend] : llvm::zip(loop.updates, addends)) {
    Value value = mapping.lookupOrDefault(addend.value);
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

/// Look one element up; update the accumulators, and the count of matches if
/// there is one.
void Lookups::buildElement(Value cursor, MutableArrayRef<Value> state,
                           Value *count) {
  Value coordinate = loadIndex(b, other, cursor);
  Value present = memref::LoadOp::create(b, workspace.tags, coordinate);
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  Value found =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, present, none);
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), cursor);
  for (auto [k, accumulator] : llvm::enumerate(state))
    mapping.map(loop.getAccumulator(k), accumulator);
  llvm::copy(buildUpdates(mapping, coordinate, found, state), state.begin());
  if (count) {
    Value one = arith::ExtUIOp::create(b, b.getI64Type(), found);
    *count = arith::AddIOp::create(b, *count, one);
  }
}

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

/// Build a loop that looks `step` elements up in each iteration. It carries
/// sets of accumulators, which the elements use in turn, and the count if there
/// is one.
SmallVector<Value> Lookups::buildSteps(Value from, Value to, int64_t step,
                                       int64_t sets, ValueRange carried) {
  size_t sums = loop.accumulators.size();
  auto lookups = scf::ForOp::create(
      b, from, to, constant(step), carried,
      [&](OpBuilder &, Location, Value cursor, ValueRange args) {
        SmallVector<Value> state(args);
        Value *count = options.count ? &state.back() : nullptr;
        if (step > 1)
          buildPrefetch(cursor);
        for (int64_t i = 0; i < step; ++i) {
          Value at = i ? arith::AddIOp::create(b, cursor, constant(i)) : cursor;
          MutableArrayRef<Value> all(state);
          buildElement(at, all.slice((i % sets) * sums, sums), count);
        }
        scf::YieldOp::create(b, state);
      });
  return SmallVector<Value>(lookups.getResults());
}

/// Build the loop over whole groups of elements and the one over what is left;
/// then add the sums.
SmallVector<Value> Lookups::buildGroups(Value first, int64_t sets,
                                        ValueRange carried) {
  size_t sums = loop.accumulators.size();
  SmallVector<Value> state(carried.take_front(sums));
  for (int64_t i = 1; i < sets; ++i)
    for (Value accumulator : carried.take_front(sums))
      state.push_back(arith::ConstantOp::create(
          b, b.getFloatAttr(accumulator.getType(), -0.0)));
  llvm::append_range(state, carried.drop_front(sums));
  Value length = arith::SubIOp::create(b, other.end, first);
  Value rest = arith::RemUIOp::create(b, length, constant(kGroup));
  Value end = arith::SubIOp::create(b, other.end, rest);
  state = buildSteps(first, end, kGroup, sets, state);
  SmallVector<Value> last = llvm::to_vector(ArrayRef(state).take_front(sums));
  llvm::append_range(last, ArrayRef(state).drop_front(sets * sums));
  last = buildSteps(end, other.end, 1, 1, last);
  for (size_t k = 0; k < sums; ++k) {
    SmallVector<Value> parts = {last[k]};
    for (int64_t i = 1; i < sets; ++i)
      parts.push_back(state[i * sums + k]);
    last[k] = reduceHalves(parts, [&](Value lhs, Value rhs) -> Value {
      return arith::AddFOp::create(b, lhs, rhs);
    });
  }
  return last;
}

SmallVector<Value> Lookups::build() {
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg];
  SmallVector<Value> carried = initialAccumulators(loop);
  if (options.count)
    carried.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  SmallVector<Value> last =
      addends.empty()
          ? buildSteps(first, other.end, 1, 1, carried)
          : buildGroups(first, hasSeveralSums(loop, options) ? kSums : 1,
                        carried);
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
