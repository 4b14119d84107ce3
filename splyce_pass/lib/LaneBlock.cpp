//===- LaneBlock.cpp - One block of the fast lane -------------------------===//

#include "LaneBlock.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::splyce;

Type mlir::splyce::getComparedType(const IntersectionLoop &loop) {
  const IntersectionSide &own = loop.sides[0], &other = loop.sides[1];
  Type type = own.getCoordinateType();
  if (type == other.getCoordinateType() && own.extension == other.extension)
    return type;
  return IntegerType::get(type.getContext(), 64);
}

Value mlir::splyce::toComparable(ImplicitLocOpBuilder &b,
                                 const IntersectionLoop &loop,
                                 Value coordinates, unsigned side) {
  const IntersectionSide &self = loop.sides[side];
  Type wide = getComparedType(loop);
  if (self.getCoordinateType() == wide)
    return coordinates;
  if (auto vector = dyn_cast<VectorType>(coordinates.getType()))
    wide = vectorOf(vector.getNumElements(), wide);
  if (self.getCoordinateType().isIndex())
    return arith::IndexCastOp::create(b, wide, coordinates);
  if (self.extension == Extension::Sign)
    return arith::ExtSIOp::create(b, wide, coordinates);
  return arith::ExtUIOp::create(b, wide, coordinates);
}

VectorType mlir::splyce::vectorOf(unsigned width, Type element) {
  return VectorType::get({static_cast<int64_t>(width)}, element);
}

Value mlir::splyce::splat(ImplicitLocOpBuilder &b, unsigned width,
                          Value scalar) {
  return vector::BroadcastOp::create(b, vectorOf(width, scalar.getType()),
                                     scalar);
}

Value mlir::splyce::reduceHalves(
    ArrayRef<Value> values, llvm::function_ref<Value(Value, Value)> combine) {
  SmallVector<Value> rest(values);
  for (size_t half = rest.size() / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i)
      rest[i] = combine(rest[i], rest[half + i]);
    rest.truncate(half);
  }
  return rest.front();
}

Value mlir::splyce::anyOf(ImplicitLocOpBuilder &b, ArrayRef<Value> bits) {
  return reduceHalves(bits, [&](Value lhs, Value rhs) -> Value {
    return arith::OrIOp::create(b, lhs, rhs);
  });
}

Value mlir::splyce::countOf(ImplicitLocOpBuilder &b, ArrayRef<Value> bits) {
  SmallVector<Value> numbers;
  for (Value bit : bits)
    numbers.push_back(arith::ExtUIOp::create(b, b.getI64Type(), bit));
  return reduceHalves(numbers, [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(b, lhs, rhs);
  });
}

Value mlir::splyce::countLanes(ImplicitLocOpBuilder &b, Value mask) {
  // LLVM turns the sum of an extended mask into a population count.
  unsigned width = cast<VectorType>(mask.getType()).getNumElements();
  Value numbers =
      arith::ExtUIOp::create(b, vectorOf(width, b.getI64Type()), mask);
  return vector::ReductionOp::create(b, vector::CombiningKind::ADD, numbers);
}

Value mlir::splyce::anyLane(ImplicitLocOpBuilder &b, Value mask) {
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, mask);
}

SmallVector<Value> mlir::splyce::extractLanes(ImplicitLocOpBuilder &b,
                                              Value vector) {
  SmallVector<Value> lanes;
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t lane = 0; lane < width; ++lane)
    lanes.push_back(vector::ExtractOp::create(b, vector, lane));
  return lanes;
}

void LaneBlock::mask() {
  for (unsigned side : {0, 1}) {
    // Not the smaller of n and what is left: LLVM would keep n in a register.
    ends[side] =
        arith::MinUIOp::create(b, getCursor(side, width), loop.sides[side].end);
    Value count = arith::SubIOp::create(b, ends[side], cursors[side]);
    masks[side] =
        vector::CreateMaskOp::create(b, vectorOf(width, b.getI1Type()), count);
  }
}

Value LaneBlock::getLastCursor(unsigned side) {
  if (!ends[side])
    return getCursor(side, width - 1);
  Value one = arith::ConstantIndexOp::create(b, 1);
  return arith::SubIOp::create(b, ends[side], one);
}

Value LaneBlock::getLast(unsigned side) {
  Value last = memref::LoadOp::create(b, loop.sides[side].coordinates,
                                      getLastCursor(side));
  return toComparable(b, loop, last, side);
}

Value LaneBlock::getCursor(unsigned side, unsigned lane) {
  if (lane == 0)
    return cursors[side];
  Value offset = arith::ConstantIndexOp::create(b, lane);
  return arith::AddIOp::create(b, cursors[side], offset);
}

Value LaneBlock::getCoordinate(unsigned side, unsigned lane) {
  SmallVector<Value> &cache = scalars[side];
  if (cache.empty())
    for (unsigned i = 0; i < width; ++i)
      cache.push_back(
          toComparable(b, loop,
                       memref::LoadOp::create(b, loop.sides[side].coordinates,
                                              getCursor(side, i)),
                       side));
  return cache[lane];
}

Value LaneBlock::getCoordinates(unsigned side) {
  if (!vectors[side])
    vectors[side] = toComparable(
        b, loop, loadVector(loop.sides[side].coordinates, side), side);
  return vectors[side];
}

Value LaneBlock::loadMasked(Value array, unsigned side) {
  Type element = cast<MemRefType>(array.getType()).getElementType();
  VectorType type = vectorOf(width, element);
  Value rest;
  if (side == 0 && array != loop.sides[side].coordinates)
    rest = arith::ConstantOp::create(b, b.getZeroAttr(type));
  else
    rest =
        splat(b, width, memref::LoadOp::create(b, array, getLastCursor(side)));
  return vector::MaskedLoadOp::create(b, type, array, cursors[side],
                                      masks[side], rest);
}

Value LaneBlock::loadVector(Value array, unsigned side) {
  if (masks[side])
    return loadMasked(array, side);
  Type element = cast<MemRefType>(array.getType()).getElementType();
  return vector::LoadOp::create(b, vectorOf(width, element), array,
                                cursors[side]);
}

arith::CmpIPredicate LaneBlock::getNotGreater() const {
  return loop.signedOrder ? arith::CmpIPredicate::sle
                          : arith::CmpIPredicate::ule;
}
