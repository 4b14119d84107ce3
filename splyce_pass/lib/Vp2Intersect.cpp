//===- Vp2Intersect.cpp - Phase 1 by one x86 instruction ------------------===//

#include "Vp2Intersect.h"

#include "X86Lanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::splyce;

/// The bits of a coordinate as the block compares them.
static unsigned comparedBits(const IntersectionLoop &loop) {
  const IntersectionSide &first = loop.sides[0], &second = loop.sides[1];
  bool same = first.getCoordinateType() == second.getCoordinateType() &&
              first.extension == second.extension;
  return same ? bitsOf(first.getCoordinateType()) : 64;
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
