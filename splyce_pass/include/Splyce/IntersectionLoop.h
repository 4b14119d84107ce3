//===- IntersectionLoop.h - The two-finger loop, recognised -----*- C++ -*-===//
//
// What the matcher finds and the lane builders work from. Nothing here changes
// the IR.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_INTERSECTIONLOOP_H
#define SPLYCE_INTERSECTIONLOOP_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <string>

namespace mlir::splyce {

/// How narrow coordinates are extended before the loop compares them.
enum class Extension { None, Zero, Sign };

/// One of the two operands of an intersection.
struct IntersectionSide {
  /// Position of the cursor among the loop-carried values.
  unsigned arg = 0;
  /// The cursor runs while it is smaller than this.
  Value end;
  /// Whether that comparison is signed.
  bool signedBound = false;
  /// The rank-1 array of coordinates that the cursor points into.
  Value coordinates;
  Extension extension = Extension::None;

  Type getCoordinateType() const {
    return cast<MemRefType>(coordinates.getType()).getElementType();
  }
};

/// A loop that visits the common coordinates of two sorted segments.
struct IntersectionLoop {
  scf::WhileOp loop;
  std::array<IntersectionSide, 2> sides;
  /// Whether the loop orders coordinates as signed integers.
  bool signedOrder = false;

  /// Loop-carried values that are not cursors.
  SmallVector<unsigned> accumulators;
  /// What each accumulator becomes where the coordinates are equal.
  SmallVector<Value> updates;
  /// The operations that compute `updates`, and the store, in order.
  SmallVector<Operation *> body;
  /// The block of the `scf.if` that runs on equal coordinates.
  Block *matchedBlock = nullptr;
  /// The store to the matched coordinate, if the body has one.
  memref::StoreOp store;
  /// Whether the body may run for pairs that do not match.
  bool speculatable = true;

  /// The cursor of a side inside the loop.
  Value getCursor(unsigned side) const;
  /// The value of accumulator `k` inside the loop.
  Value getAccumulator(unsigned k) const;
  /// Whether a value is defined outside the loop.
  bool isInvariant(Value value) const;
  /// The side of which `load` reads an array at the cursor, if it does.
  std::optional<unsigned> getSideOfLoad(memref::LoadOp load) const;
  /// Whether a value in the body is the matched coordinate, possibly extended.
  bool isMatchedCoordinate(Value value) const;
};

/// Recognise a two-way intersection; on failure `reason` says what differs.
FailureOr<IntersectionLoop> matchIntersectionLoop(scf::WhileOp loop,
                                                  std::string &reason);

/// Marks the scalar loop behind a fast lane, so that it gets no second one.
inline constexpr llvm::StringLiteral kEpilogueAttr = "splyce_epilogue";

} // namespace mlir::splyce

#endif // SPLYCE_INTERSECTIONLOOP_H
