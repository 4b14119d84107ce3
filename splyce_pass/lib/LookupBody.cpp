//===- LookupBody.cpp - What an element does with a workspace -------------===//

#include "LookupBody.h"

using namespace mlir;
using namespace mlir::splyce;

/// Elements from one that is read to one that is fetched. That is as long as
/// memory takes.
static constexpr int64_t kAhead = 256;

Value mlir::splyce::loadIndex(ImplicitLocOpBuilder &b,
                              const IntersectionSide &side, Value cursor) {
  Value coordinate = memref::LoadOp::create(b, side.coordinates, cursor);
  if (coordinate.getType().isIndex())
    return coordinate;
  if (side.extension == Extension::Sign)
    return arith::IndexCastOp::create(b, b.getIndexType(), coordinate);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
}

LookupBody::LookupBody(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                       const WorkspacePlan &plan, const Workspace &workspace)
    : b(b), loop(loop), plan(plan), workspace(workspace) {
  unsigned other = 1 - plan.side;
  for (Operation *op : loop.body)
    if (auto load = dyn_cast<memref::LoadOp>(op))
      if (loop.getSideOfLoad(load) == other &&
          load.getMemRef() != loop.sides[other].coordinates)
        otherArrays.push_back(load.getMemRef());
}

Lookup LookupBody::buildLookup(Value cursor) {
  Value coordinate = loadIndex(b, loop.sides[1 - plan.side], cursor);
  return {cursor, coordinate,
          memref::LoadOp::create(b, workspace.tags, coordinate)};
}

void LookupBody::buildPrefetch(Value cursor) {
  Value ahead = arith::AddIOp::create(
      b, cursor, arith::ConstantIndexOp::create(b, kAhead));
  auto fetch = [&](Value array) {
    memref::PrefetchOp::create(b, array, ahead, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  };
  fetch(loop.sides[1 - plan.side].coordinates);
  for (Value array : otherArrays)
    fetch(array);
}

Value LookupBody::countMatch(Value matches, const Lookup &lookup) {
  Value one = arith::ExtUIOp::create(b, b.getI64Type(), lookup.tag);
  return arith::AddIOp::create(b, matches, one);
}

/// Whether an element has a tag (i1).
Value LookupBody::isFound(const Lookup &lookup) {
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, lookup.tag, none);
}

/// Repeat an operation of the body for an element of the other side; what it
/// reads at the cursor of this side is in the workspace.
void LookupBody::cloneOp(Operation *op, IRMapping &mapping, Value coordinate) {
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
SmallVector<Value> LookupBody::buildBody(Value cursor, Value coordinate,
                                         ValueRange old) {
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), cursor);
  for (auto [k, accumulator] : llvm::enumerate(old))
    mapping.map(loop.getAccumulator(k), accumulator);
  for (Operation *op : loop.body)
    cloneOp(op, mapping, coordinate);
  SmallVector<Value> updated;
  for (Value update : loop.updates)
    updated.push_back(mapping.lookupOrDefault(update));
  return updated;
}

SmallVector<Value> LookupBody::buildMatched(Value cursor, ValueRange old) {
  return buildBody(cursor, loadIndex(b, loop.sides[1 - plan.side], cursor),
                   old);
}

SmallVector<Value> LookupBody::buildUpdates(const Lookup &lookup,
                                            ValueRange old) {
  Value found = isFound(lookup);
  if (!loop.speculatable) {
    auto branch = scf::IfOp::create(
        b, found,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(
              b, buildBody(lookup.cursor, lookup.coordinate, old));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, old); });
    return SmallVector<Value>(branch.getResults());
  }
  SmallVector<Value> updated = buildBody(lookup.cursor, lookup.coordinate, old);
  SmallVector<Value> next;
  for (auto [before, after] : llvm::zip(old, updated))
    next.push_back(arith::SelectOp::create(b, found, after, before));
  return next;
}

SmallVector<Value> LookupBody::buildAddends(const Lookup &lookup,
                                            ArrayRef<Addend> addends) {
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), lookup.cursor);
  auto isUpdate = [&](Operation *op) {
    return llvm::is_contained(loop.updates, op->getResult(0));
  };
  for (Operation *op : loop.body)
    if (!isUpdate(op))
      cloneOp(op, mapping, lookup.coordinate);
  SmallVector<Value> values;
  for (const Addend &addend : addends)
    values.push_back(mapping.lookupOrDefault(addend.value));
  return values;
}

SmallVector<Value> LookupBody::buildSums(const Lookup &lookup,
                                         ArrayRef<Addend> addends,
                                         ValueRange old) {
  Value found = isFound(lookup);
  SmallVector<Value> values = buildAddends(lookup, addends);
  SmallVector<Value> sums;
  for (auto [k, addend] : llvm::enumerate(addends)) {
    Value neutral = arith::ConstantOp::create(
        b, b.getFloatAttr(values[k].getType(), addend.getNeutral()));
    Value value = arith::SelectOp::create(b, found, values[k], neutral);
    sums.push_back(repeatSum(b, loop, k, addend, old[k], value));
  }
  return sums;
}
