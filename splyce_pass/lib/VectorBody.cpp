//===- VectorBody.cpp - The body on vectors -------------------------------===//

#include "VectorBody.h"

#include "BodyAnalysis.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::splyce;

/// The position of the matched coordinate among indices that are otherwise
/// invariant.
static std::optional<unsigned> findCoordinate(ValueRange indices,
                                              const IntersectionLoop &loop) {
  std::optional<unsigned> position;
  for (auto [number, index] : llvm::enumerate(indices)) {
    if (loop.isInvariant(index))
      continue;
    if (position || !loop.isMatchedCoordinate(index))
      return std::nullopt;
    position = number;
  }
  return position;
}

/// Whether lanes that differ in the coordinate can be gathered from a buffer.
static bool canGather(Value buffer, ValueRange indices,
                      const IntersectionLoop &loop) {
  std::optional<unsigned> position = findCoordinate(indices, loop);
  auto type = cast<MemRefType>(buffer.getType());
  if (!position || !loop.isInvariant(buffer) ||
      !VectorType::isValidElementType(type.getElementType()))
    return false;
  bool isLast = *position + 1 == type.getRank();
  return isLast ? type.isLastDimUnitStride() : type.getLayout().isIdentity();
}

/// Whether one operation of the body has a form on vectors.
static bool canVectorizeOp(Operation *op, const IntersectionLoop &loop) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return loop.getSideOfLoad(load) ||
           canGather(load.getMemRef(), load.getIndices(), loop);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return canGather(store.getMemRef(), store.getIndices(), loop);
  return isScalarOp(op, loop);
}

bool mlir::splyce::canVectorizeBody(const IntersectionLoop &loop) {
  return llvm::all_of(loop.body,
                      [&](Operation *op) { return canVectorizeOp(op, loop); });
}

namespace {

/// A buffer, the offsets of its first lane, and the distance of each lane.
struct GatherAddress {
  Value base;
  SmallVector<Value> offsets;
  Value lanes;
};

} // namespace

/// The matched coordinates of a block as indices.
static Value coordinateIndices(LaneBlock &block, Matches &matches) {
  ImplicitLocOpBuilder &b = block.b;
  Value coordinates = matches.getCoordinates();
  Type element = cast<VectorType>(coordinates.getType()).getElementType();
  if (element.isIndex())
    return coordinates;
  VectorType type = vectorOf(block.width, b.getIndexType());
  if (block.loop.sides[0].extension == Extension::Sign)
    return arith::IndexCastOp::create(b, type, coordinates);
  return arith::IndexCastUIOp::create(b, type, coordinates);
}

/// The number of elements between neighbours in one dimension of a buffer.
static Value strideOf(ImplicitLocOpBuilder &b, Value buffer,
                      unsigned dimension) {
  Value stride = arith::ConstantIndexOp::create(b, 1);
  unsigned rank = cast<MemRefType>(buffer.getType()).getRank();
  for (unsigned inner = dimension + 1; inner < rank; ++inner) {
    Value index = arith::ConstantIndexOp::create(b, inner);
    Value size = memref::DimOp::create(b, buffer, index);
    stride = arith::MulIOp::create(b, stride, size);
  }
  return stride;
}

/// A buffer with identity layout as one dimension.
static Value flatten(ImplicitLocOpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value rows =
      memref::DimOp::create(b, buffer, arith::ConstantIndexOp::create(b, 0));
  Value size = arith::MulIOp::create(b, rows, strideOf(b, buffer, 0));
  auto flat =
      MemRefType::get({ShapedType::kDynamic}, type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  // Unlike collapse_shape this needs no pass that expands strided metadata.
  return memref::ReinterpretCastOp::create(
      b, flat, buffer, OpFoldResult(b.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{OpFoldResult(size)},
      ArrayRef<OpFoldResult>{OpFoldResult(b.getIndexAttr(1))});
}

/// The addresses of an access whose indices contain the matched coordinate.
static GatherAddress addressOf(LaneBlock &block, Matches &matches, Value buffer,
                               ValueRange indices) {
  ImplicitLocOpBuilder &b = block.b;
  unsigned position = *findCoordinate(indices, block.loop);
  Value lanes = coordinateIndices(block, matches);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  if (position + 1 == indices.size()) {
    SmallVector<Value> offsets(indices);
    offsets.back() = zero;
    return {buffer, offsets, lanes};
  }
  Value offset = zero;
  for (auto [number, index] : llvm::enumerate(indices)) {
    if (number == position)
      continue;
    Value term = arith::MulIOp::create(b, index, strideOf(b, buffer, number));
    offset = arith::AddIOp::create(b, offset, term);
  }
  Value stride = splat(b, block.width, strideOf(b, buffer, position));
  lanes = arith::MulIOp::create(b, lanes, stride);
  return {flatten(b, buffer), {offset}, lanes};
}

VectorBody::VectorBody(LaneBlock &block, Matches &matches)
    : block(block), loop(block.loop), matches(matches),
      dependent(findAccumulatorUsers(block.loop)) {}

Value VectorBody::buildLoad(memref::LoadOp load) {
  if (loop.getSideOfLoad(load))
    return matches.getLoadedVector(load);
  ImplicitLocOpBuilder &b = block.b;
  GatherAddress address =
      addressOf(block, matches, load.getMemRef(), load.getIndices());
  VectorType type = vectorOf(block.width, load.getType());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::GatherOp::create(b, type, address.base, address.offsets,
                                  address.lanes, matches.getFoundVector(),
                                  zero);
}

/// Coordinates are unique, so that no two lanes store to one element.
void VectorBody::buildStore(memref::StoreOp store) {
  GatherAddress address =
      addressOf(block, matches, store.getMemRef(), store.getIndices());
  vector::ScatterOp::create(block.b, /*resultType=*/Type(), address.base,
                            address.offsets, address.lanes,
                            matches.getFoundVector(),
                            getVector(store.getValueToStore()));
}

/// Repeat an operation on vectors if one of its operands is a vector.
void VectorBody::buildOp(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return mapping.map(load.getResult(), buildLoad(load));
  auto isVector = [&](Value operand) {
    return isa<VectorType>(lookup(operand).getType());
  };
  bool needsVectors = llvm::any_of(op->getOperands(), isVector);
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, needsVectors ? getVector(operand) : lookup(operand));
  Value result = block.b.clone(*op, operands)->getResult(0);
  if (needsVectors)
    result.setType(vectorOf(block.width, result.getType()));
  mapping.map(op->getResult(0), result);
}

Value VectorBody::lookup(Value value) {
  if (loop.isInvariant(value))
    return value;
  if (!mapping.contains(value))
    buildOp(value.getDefiningOp());
  return mapping.lookup(value);
}

void VectorBody::build() {
  if (loop.store)
    buildStore(loop.store);
}

Value VectorBody::getVector(Value value) {
  Value mapped = lookup(value);
  return isa<VectorType>(mapped.getType())
             ? mapped
             : splat(block.b, block.width, mapped);
}

Value VectorBody::getLane(Value value, unsigned lane) {
  Value mapped = lookup(value);
  if (!isa<VectorType>(mapped.getType()))
    return mapped;
  SmallVector<Value> &cache = lanes[mapped];
  if (cache.empty())
    cache = extractLanes(block.b, mapped);
  return cache[lane];
}

SmallVector<Value> VectorBody::buildLane(unsigned lane,
                                         ValueRange accumulators) {
  IRMapping scalars;
  for (auto [k, accumulator] : llvm::enumerate(accumulators))
    scalars.map(loop.getAccumulator(k), accumulator);
  for (Operation *op : loop.body) {
    if (!dependent.contains(op))
      continue;
    for (Value operand : op->getOperands())
      if (!scalars.contains(operand))
        scalars.map(operand, getLane(operand, lane));
    block.b.clone(*op, scalars);
  }
  SmallVector<Value> updates;
  for (Value update : loop.updates)
    updates.push_back(scalars.contains(update) ? scalars.lookup(update)
                                               : getLane(update, lane));
  return updates;
}

SmallVector<Value> VectorBody::buildOrdered(ValueRange accumulators) {
  SmallVector<Value> state(accumulators);
  if (state.empty())
    return state;
  SmallVector<Value> found = extractLanes(block.b, matches.getFoundVector());
  for (unsigned lane = 0; lane < block.width; ++lane)
    for (auto [old, updated] :
         llvm::zip(state, buildLane(lane, ValueRange(state))))
      old = arith::SelectOp::create(block.b, found[lane], updated, old);
  return state;
}
