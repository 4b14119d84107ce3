//===- Vp2Intersect.cpp - Phase 1 by one x86 instruction ------------------===//

#include "Vp2Intersect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::splyce;

static unsigned bitsOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// The bits of a coordinate as the block compares them.
static unsigned comparedBits(const IntersectionLoop &loop) {
  const IntersectionSide &first = loop.sides[0], &second = loop.sides[1];
  bool same = first.getCoordinateType() == second.getCoordinateType() &&
              first.extension == second.extension;
  return same ? bitsOf(first.getCoordinateType()) : 64;
}

/// The bits of a lane of the instruction; narrow coordinates are extended.
static unsigned laneBits(unsigned compared, unsigned width) {
  return compared > 32 || width == 2 ? 64 : 32;
}

LogicalResult mlir::splyce::checkVp2Intersect(const IntersectionLoop &loop,
                                              unsigned width,
                                              std::string &reason) {
  unsigned bits = laneBits(comparedBits(loop), width);
  // LLVM 22 splits a longer vector into aligned stores to where the matches of
  // its first half end.
  for (Operation *op : loop.body)
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && loop.getSideOfLoad(load))
      bits = std::max(bits, bitsOf(load.getType()));
  if (bits * width <= 512)
    return success();
  reason = "vp2intersect takes 512 bits, not " + std::to_string(width) +
           " elements of " + std::to_string(bits);
  return failure();
}

/// Call an intrinsic, in a scope of its own: `llvm.call_intrinsic` states no
/// effects and is taken for a stack allocation, so that directly in a parallel
/// loop the scope that `convert-scf-to-openmp` makes would stay around all of
/// the body, and not lower. LLVM removes this one.
static Value callIntrinsic(ImplicitLocOpBuilder &b, Type result, StringRef name,
                           ValueRange operands) {
  auto scope = memref::AllocaScopeOp::create(b, TypeRange(result));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&scope.getBodyRegion());
  Value value =
      LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands)
          .getResult(0);
  memref::AllocaScopeReturnOp::create(b, value);
  return scope.getResult(0);
}

/// The coordinates of a side as integers of the width of a lane.
static Value toLanes(LaneBlock &block, unsigned side, unsigned bits) {
  ImplicitLocOpBuilder &b = block.b;
  Value coordinates = block.getCoordinates(side);
  Type element = cast<VectorType>(coordinates.getType()).getElementType();
  VectorType lanes = vectorOf(block.width, b.getIntegerType(bits));
  if (element.isIndex())
    return arith::IndexCastOp::create(b, lanes, coordinates);
  if (coordinates.getType() == lanes)
    return coordinates;
  // Equality is all that is asked for: either extension keeps it.
  return arith::ExtUIOp::create(b, lanes, coordinates);
}

std::array<Value, 2> mlir::splyce::buildVp2Intersect(LaneBlock &block) {
  ImplicitLocOpBuilder &b = block.b;
  unsigned bits = laneBits(comparedBits(block.loop), block.width);
  std::string name = "llvm.x86.avx512.vp2intersect.";
  name += (bits == 64 ? "q." : "d.") + std::to_string(bits * block.width);
  VectorType mask = vectorOf(block.width, b.getI1Type());
  auto both = LLVM::LLVMStructType::getLiteral(b.getContext(), {mask, mask});
  Value masks = callIntrinsic(
      b, both, name,
      ValueRange{toLanes(block, 0, bits), toLanes(block, 1, bits)});
  std::array<Value, 2> found;
  for (unsigned side : {0, 1}) {
    found[side] = LLVM::ExtractValueOp::create(b, masks, side);
    if (Value valid = block.getMask(side))
      found[side] = arith::AndIOp::create(b, found[side], valid);
  }
  return found;
}

bool mlir::splyce::canCompress(Type element, unsigned width) {
  unsigned bits = bitsOf(element);
  return bits <= 64 && laneBits(bits, width) * width <= 512;
}

/// Elements as LLVM can compress them, which are those of 32 and 64 bits in 128
/// to 512: others are integers in wider lanes.
static Value widenLanes(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type element = type.getElementType();
  unsigned width = type.getNumElements();
  unsigned bits = bitsOf(element), wide = laneBits(bits, width);
  VectorType lanes = vectorOf(width, b.getIntegerType(wide));
  if (element.isIndex())
    return arith::IndexCastOp::create(b, lanes, vector);
  if (bits == wide)
    return vector;
  if (!element.isInteger())
    vector = arith::BitcastOp::create(
        b, vectorOf(width, b.getIntegerType(bits)), vector);
  return arith::ExtUIOp::create(b, lanes, vector);
}

/// The inverse of `widenLanes`.
static Value narrowLanes(ImplicitLocOpBuilder &b, Value lanes,
                         VectorType type) {
  Type element = type.getElementType();
  if (lanes.getType() == type)
    return lanes;
  if (element.isIndex())
    return arith::IndexCastOp::create(b, type, lanes);
  VectorType integers =
      vectorOf(type.getNumElements(), b.getIntegerType(bitsOf(element)));
  Value narrow = arith::TruncIOp::create(b, integers, lanes);
  if (integers == type)
    return narrow;
  return arith::BitcastOp::create(b, type, narrow);
}

Value mlir::splyce::compressLanes(ImplicitLocOpBuilder &b, Value vector,
                                  Value mask, Value fill) {
  Value lanes = widenLanes(b, vector);
  Value compressed =
      callIntrinsic(b, lanes.getType(), "llvm.experimental.vector.compress",
                    ValueRange{lanes, mask, widenLanes(b, fill)});
  return narrowLanes(b, compressed, cast<VectorType>(vector.getType()));
}
