//===- AdvancePhase.cpp - Phase 3: move the cursors -----------------------===//
//
// A coordinate of one side is never greater than the last of its own side, so
// that comparing with the last of the other side counts the same elements as
// comparing with the smaller of both, and is one step shorter.
//
//===----------------------------------------------------------------------===//

#include "AdvancePhase.h"

using namespace mlir;
using namespace mlir::splyce;

/// Count by n scalar comparisons.
static Value countScalars(LaneBlock &block, unsigned side, Value last) {
  SmallVector<Value> consumed;
  for (unsigned lane = 0; lane < block.width; ++lane)
    consumed.push_back(arith::CmpIOp::create(
        block.b, block.getNotGreater(), block.getCoordinate(side, lane), last));
  return countOf(block.b, consumed);
}

/// Count by one SIMD comparison.
static Value countVector(LaneBlock &block, unsigned side, Value last) {
  Value coordinates = block.getCoordinates(side);
  Value consumed =
      arith::CmpIOp::create(block.b, block.getNotGreater(), coordinates,
                            splat(block.b, block.width, last));
  return countLanes(block.b, consumed);
}

Value mlir::splyce::buildAdvance(LaneBlock &block, unsigned side, bool simd) {
  ImplicitLocOpBuilder &b = block.b;
  Value last = block.getCoordinate(1 - side, block.width - 1);
  Value count =
      simd ? countVector(block, side, last) : countScalars(block, side, last);
  Value step = arith::IndexCastOp::create(b, b.getIndexType(), count);
  return arith::AddIOp::create(b, block.getCursor(side, 0), step);
}
