//===- LaneBlock.h - One block of the fast lane -----------------*- C++ -*-===//
//
// The n coordinates of each side that one iteration of the fast lane works on,
// as scalars and as vectors, and the helpers that the three phases share. A
// side of a masked block has fewer than n where its segment ends.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_LANEBLOCK_H
#define SPLYCE_LIB_LANEBLOCK_H

#include "Splyce/FastLane.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>

namespace mlir::splyce {

class LaneBlock {
public:
  LaneBlock(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
            unsigned width, Value p, Value q)
      : b(b), loop(loop), width(width), cursors{p, q} {}

  /// Keep both sides within their segments, of which something must be left.
  void mask();
  /// Which lanes of a side belong to the block; null unless it is masked.
  Value getMask(unsigned side) const { return masks[side]; }
  /// The cursor of the last coordinate of a side.
  Value getLastCursor(unsigned side);
  /// The last coordinate of a side, in the type that they are compared in.
  Value getLast(unsigned side);
  /// The cursor of a side advanced by a known number of elements.
  Value getCursor(unsigned side, unsigned lane);
  /// One coordinate of a side, in the type that coordinates are compared in.
  Value getCoordinate(unsigned side, unsigned lane);
  /// The n coordinates of a side, in the type they are compared in.
  Value getCoordinates(unsigned side);
  /// The n elements at the cursor of a side of an array that it indexes. Lanes
  /// that are masked off repeat the last element of coordinates and of side 1:
  /// a partner found there twice is the same.
  Value loadVector(Value array, unsigned side);
  /// The predicate "not greater" in the order of the loop.
  arith::CmpIPredicate getNotGreater() const;

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const unsigned width;

private:
  Value loadMasked(Value array, unsigned side);

  std::array<Value, 2> cursors, ends, masks;
  std::array<SmallVector<Value>, 2> scalars;
  std::array<Value, 2> vectors;
};

/// The type that coordinates are compared in: their own if both sides have one
/// type and extension, else i64.
Type getComparedType(const IntersectionLoop &loop);
/// Coordinates of a side, scalar or vector, in that type.
Value toComparable(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                   Value coordinates, unsigned side);
/// The type of a vector of n elements.
VectorType vectorOf(unsigned width, Type element);
/// A vector with the same value in each lane.
Value splat(ImplicitLocOpBuilder &b, unsigned width, Value scalar);
/// Combine each value of the first half with its like of the second until one
/// is left, as a vector is reduced; the number of values is a power of two.
Value reduceHalves(ArrayRef<Value> values,
                   llvm::function_ref<Value(Value, Value)> combine);
/// Whether any of some i1 values is set.
Value anyOf(ImplicitLocOpBuilder &b, ArrayRef<Value> bits);
/// The number of set i1 values (i64).
Value countOf(ImplicitLocOpBuilder &b, ArrayRef<Value> bits);
/// The number of set lanes of a vector of i1 (i64).
Value countLanes(ImplicitLocOpBuilder &b, Value mask);
/// Whether any lane of a vector of i1 is set.
Value anyLane(ImplicitLocOpBuilder &b, Value mask);
/// The lanes of a vector as scalars.
SmallVector<Value> extractLanes(ImplicitLocOpBuilder &b, Value vector);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LANEBLOCK_H
