//===- LookupBody.cpp - What an element does with a workspace -------------===//

#include "LookupBody.h"

using namespace mlir;
using namespace mlir::splyce;

Value mlir::splyce::loadIndex(ImplicitLocOpBuilder &b,
                              const IntersectionSide &side, Value cursor) {
  Value coordinate = memref::LoadOp::create(b, side.coordinates, cursor);
  if (coordinate.getType().isIndex())
    return coordinate;
  if (side.extension == Extension::Sign)
    return arith::IndexCastOp::create(b, b.getIndexType(), coordinate);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), coordinate);
}

Lookup LookupBody::buildLookup(Value cursor) {
  Value coordinate = loadIndex(b, loop.sides[1 - plan.side], cursor);
  return {cursor, coordinate,
          memref::LoadOp::create(b, workspace.tags, coordinate)};
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
SmallVector<Value> LookupBody::cloneBody(IRMapping &mapping, Value coordinate) {
  for (Operation *op : loop.body)
    cloneOp(op, mapping, coordinate);
  SmallVector<Value> updated;
  for (Value update : loop.updates)
    updated.push_back(mapping.lookupOrDefault(update));
  return updated;
}

SmallVector<Value> LookupBody::buildUpdates(const Lookup &lookup,
                                            ValueRange old) {
  Value none = arith::ConstantIntOp::create(b, b.getI8Type(), 0);
  Value found =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, lookup.tag, none);
  IRMapping mapping;
  mapping.map(loop.getCursor(1 - plan.side), lookup.cursor);
  for (auto [k, accumulator] : llvm::enumerate(old))
    mapping.map(loop.getAccumulator(k), accumulator);
  if (!loop.speculatable) {
    auto branch = scf::IfOp::create(
        b, found,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, cloneBody(mapping, lookup.coordinate));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(b, old); });
    return SmallVector<Value>(branch.getResults());
  }
  SmallVector<Value> updated = cloneBody(mapping, lookup.coordinate);
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
