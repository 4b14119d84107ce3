//===- WorkspaceLane.cpp - A segment as a dense array ---------------------===//
//
// The segment that stays the same in the loop outside is scattered in front of
// it: values by coordinate, and a tag where there is one. In place of the
// two-finger loop each element of the other side looks up its coordinate; what
// has no tag is selected away. The tags are cleared behind the loop outside.
// Matches are met in the order of their coordinates, as in the scalar loop.
//
//===----------------------------------------------------------------------===//

#include "WorkspaceLane.h"

#include "ComputePhase.h"
#include "LaneCounters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::splyce;

namespace {

/// Builds the parts of the lane.
class WorkspaceLane {
public:
  WorkspaceLane(const IntersectionLoop &loop, const WorkspacePlan &plan,
                const LaneOptions &options)
      : loop(loop), plan(plan), options(options), own(loop.sides[plan.side]),
        other(loop.sides[1 - plan.side]),
        b(scf::WhileOp(loop.loop).getLoc(), scf::WhileOp(loop.loop)),
        addends(loop.speculatable ? matchAddends(loop)
                                  : SmallVector<Addend>()) {}

  void build();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value tag(bool present) {
    return arith::ConstantIntOp::create(b, b.getI8Type(), present);
  }
  void setInsertionPoint(Operation *op, bool after);
  void buildCount(Value from, Value to, llvm::function_ref<void(Value)> body);
  Value buildSize();
  void allocate();
  Value buildRuns();
  void buildSegment();
  void buildTags(bool present);
  Value loadIndex(const IntersectionSide &side, Value cursor);
  void cloneOp(Operation *op, IRMapping &mapping, Value coordinate);
  SmallVector<Value> cloneBody(IRMapping &mapping, Value coordinate);
  SmallVector<Value> buildSums(IRMapping &mapping, Value coordinate,
                               Value found);
  SmallVector<Value> buildUpdates(IRMapping &mapping, Value coordinate,
                                  Value found, ValueRange old);
  SmallVector<Value> buildElement(Value cursor, ValueRange carried);
  SmallVector<Value> buildLookups(ValueRange inits);
  void replaceLoop();

  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  const IntersectionSide &own, &other;
  ImplicitLocOpBuilder b;
  Value start, end;
  Value tags;
  SmallVector<Value> workspaces;
  /// Empty unless updates are sums that may be run for every element.
  SmallVector<Addend> addends;
};

} // namespace

void WorkspaceLane::setInsertionPoint(Operation *op, bool after) {
  if (after)
    b.setInsertionPointAfter(op);
  else
    b.setInsertionPoint(op);
}

/// Build a counting loop without carried values.
void WorkspaceLane::buildCount(Value from, Value to,
                               llvm::function_ref<void(Value)> body) {
  scf::ForOp::create(b, from, to, constant(1), ValueRange(),
                     [&](OpBuilder &, Location, Value i, ValueRange) {
                       body(i);
                       scf::YieldOp::create(b);
                     });
}

/// A bound of the coordinates of both sides.
Value WorkspaceLane::buildSize() {
  SmallVector<Value> sizes;
  auto kind = sparse_tensor::StorageSpecifierKindAttr::get(
      b.getContext(), sparse_tensor::StorageSpecifierKind::LvlSize);
  for (const StorageLevel &level : plan.levels)
    sizes.push_back(sparse_tensor::GetStorageSpecifierOp::create(
        b, level.specifier, kind, level.level));
  return arith::MaxUIOp::create(b, sizes[0], sizes[1]);
}

/// Allocate the workspace without a tag; values are never read before they are
/// written, except to be selected away.
void WorkspaceLane::allocate() {
  setInsertionPoint(plan.place, /*after=*/false);
  Value size = buildSize();
  auto allocateOf = [&](Type element) -> Value {
    return memref::AllocOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, element), size);
  };
  tags = allocateOf(b.getI8Type());
  for (Value array : plan.arrays)
    workspaces.push_back(
        allocateOf(cast<MemRefType>(array.getType()).getElementType()));
  buildCount(constant(0), size,
             [&](Value i) { memref::StoreOp::create(b, tag(false), tags, i); });
  setInsertionPoint(plan.place, /*after=*/true);
  memref::DeallocOp::create(b, tags);
  for (Value workspace : workspaces)
    memref::DeallocOp::create(b, workspace);
}

/// Whether the loop outside has an iteration: only then may be loaded what is
/// loaded in it.
Value WorkspaceLane::buildRuns() {
  SmallVector<Value> lower, upper;
  arith::CmpIPredicate less = arith::CmpIPredicate::slt;
  if (auto outer = dyn_cast<scf::ForOp>(plan.outer)) {
    lower.push_back(outer.getLowerBound());
    upper.push_back(outer.getUpperBound());
    if (outer.getUnsignedCmp())
      less = arith::CmpIPredicate::ult;
  } else {
    llvm::append_range(lower,
                       cast<scf::ParallelOp>(plan.outer).getLowerBound());
    llvm::append_range(upper,
                       cast<scf::ParallelOp>(plan.outer).getUpperBound());
  }
  Value runs;
  for (auto [from, to] : llvm::zip(lower, upper)) {
    Value some = arith::CmpIOp::create(b, less, from, to);
    runs = runs ? Value(arith::AndIOp::create(b, runs, some)) : some;
  }
  return runs;
}

/// Find the segment in front of the loop outside; empty if that does not run.
void WorkspaceLane::buildSegment() {
  setInsertionPoint(plan.outer, /*after=*/false);
  Value init = scf::WhileOp(loop.loop).getInits()[own.arg];
  auto bounds = scf::IfOp::create(
      b, buildRuns(),
      [&](OpBuilder &, Location) {
        IRMapping mapping;
        for (Operation *op : plan.segment)
          b.clone(*op, mapping);
        SmallVector<Value> found = {mapping.lookupOrDefault(init),
                                    mapping.lookupOrDefault(own.end)};
        scf::YieldOp::create(b, found);
      },
      [&](OpBuilder &, Location) {
        Value zero = constant(0);
        scf::YieldOp::create(b, ValueRange{zero, zero});
      });
  start = bounds.getResult(0);
  end = bounds.getResult(1);
}

/// A coordinate as an index.
Value WorkspaceLane::loadIndex(const IntersectionSide &side, Value cursor) {
  Value coordinate = memref::LoadOp::create(b, side.coordinates, cursor);
  if (coordinate.getType().isIndex())
    return coordinate;
  if (side.extension == Extension::Sign)
    return arith::IndexCastOp::create(b, b.getIndexType(), coordinate);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
}

/// Scatter the segment, or take its tags away.
void WorkspaceLane::buildTags(bool present) {
  buildCount(start, end, [&](Value p) {
    Value coordinate = loadIndex(own, p);
    memref::StoreOp::create(b, tag(present), tags, coordinate);
    if (!present)
      return;
    for (auto [array, workspace] : llvm::zip(plan.arrays, workspaces)) {
      Value element = memref::LoadOp::create(b, array, p);
      memref::StoreOp::create(b, element, workspace, coordinate);
    }
  });
}

/// Repeat an operation of the body for an element of the other side; what it
/// reads at the cursor of this side is in the workspace.
void WorkspaceLane::cloneOp(Operation *op, IRMapping &mapping,
                            Value coordinate) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || loop.getSideOfLoad(load) != plan.side) {
    b.clone(*op, mapping);
    return;
  }
  Value element = coordinate;
  if (load.getMemRef() != own.coordinates) {
    auto number = llvm::find(plan.arrays, load.getMemRef());
    element = memref::LoadOp::create(
        b, workspaces[number - plan.arrays.begin()], coordinate);
  } else if (!load.getType().isIndex()) {
    element = arith::IndexCastOp::create(b, load.getType(), coordinate);
  }
  mapping.map(load.getResult(), element);
}

/// Repeat the whole body; return the accumulators behind it.
SmallVector<Value> WorkspaceLane::cloneBody(IRMapping &mapping,
                                            Value coordinate) {
  for (Operation *op : loop.body)
    cloneOp(op, mapping, coordinate);
  SmallVector<Value> updated;
  for (Value update : loop.updates)
    updated.push_back(mapping.lookupOrDefault(update));
  return updated;
}

/// Repeat sums with the number that changes nothing in place of what has no
/// partner: unlike a selected sum, this adds nothing to the chain of additions.
SmallVector<Value> WorkspaceLane::buildSums(IRMapping &mapping,
                                            Value coordinate, Value found) {
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
SmallVector<Value> WorkspaceLane::buildUpdates(IRMapping &mapping,
                                               Value coordinate, Value found,
                                               ValueRange old) {
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

/// Build one iteration: the accumulators, and the count of matches if there is
/// one.
SmallVector<Value> WorkspaceLane::buildElement(Value cursor,
                                               ValueRange carried) {
  Value coordinate = loadIndex(other, cursor);
  Value present = memref::LoadOp::create(b, tags, coordinate);
  Value found =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, present, tag(false));
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), cursor);
  ValueRange old = carried.take_front(loop.accumulators.size());
  for (auto [k, accumulator] : llvm::enumerate(old))
    mapping.map(loop.getAccumulator(k), accumulator);
  SmallVector<Value> next = buildUpdates(mapping, coordinate, found, old);
  if (options.count) {
    Value one = arith::ExtUIOp::create(b, b.getI64Type(), found);
    next.push_back(arith::AddIOp::create(b, carried.back(), one));
  }
  return next;
}

/// Build the loop over the other side.
SmallVector<Value> WorkspaceLane::buildLookups(ValueRange inits) {
  Value first = scf::WhileOp(loop.loop).getInits()[other.arg];
  SmallVector<Value> carried(inits);
  if (options.count)
    carried.push_back(arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  auto lookups = scf::ForOp::create(
      b, first, other.end, constant(1), carried,
      [&](OpBuilder &, Location, Value cursor, ValueRange args) {
        scf::YieldOp::create(b, buildElement(cursor, args));
      });
  if (options.count)
    buildWorkspaceCounters(b, first, other.end, lookups.getResults().back());
  return SmallVector<Value>(
      lookups.getResults().take_front(loop.accumulators.size()));
}

/// Put the loop over the other side in place of the two-finger loop, under a
/// test that the segment is not empty, which is the same in the loop outside.
void WorkspaceLane::replaceLoop() {
  scf::WhileOp scalar = loop.loop;
  setInsertionPoint(scalar, /*after=*/false);
  SmallVector<Value> inits;
  for (unsigned arg : loop.accumulators)
    inits.push_back(scalar.getInits()[arg]);
  arith::CmpIPredicate less =
      own.signedBound ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  Value some = arith::CmpIOp::create(b, less, start, end);
  auto guard = scf::IfOp::create(
      b, some,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, buildLookups(inits));
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, inits); });
  for (auto [arg, result] : llvm::zip(loop.accumulators, guard.getResults()))
    scalar.getResult(arg).replaceAllUsesWith(result);
  scalar->erase();
}

void WorkspaceLane::build() {
  allocate();
  buildSegment();
  buildTags(/*present=*/true);
  setInsertionPoint(plan.outer, /*after=*/true);
  buildTags(/*present=*/false);
  replaceLoop();
}

void mlir::splyce::buildWorkspaceLane(const IntersectionLoop &loop,
                                      const WorkspacePlan &plan,
                                      const LaneOptions &options) {
  WorkspaceLane(loop, plan, options).build();
}
