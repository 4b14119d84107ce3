//===- MatchPhase.h - Phase 1: which pairs match ----------------*- C++ -*-===//

#ifndef SPLYCE_LIB_MATCHPHASE_H
#define SPLYCE_LIB_MATCHPHASE_H

#include "LaneBlock.h"

namespace mlir::splyce {

/// For each element of side 0 in a block, its partner in side 1. Coordinates
/// are unique, so there is at most one.
class Matches {
public:
  Matches(LaneBlock &block, bool simd);

  /// Whether element `lane` of side 0 has a partner (i1).
  Value getFound(unsigned lane);
  /// The cursor of its partner; some valid cursor of side 1 if it has none.
  Value getPartnerCursor(unsigned lane);
  /// Whether the block has a match; as vectors or scalars, as it is used.
  Value buildAny(bool fromVector);
  /// The number of matches of the block (i64).
  Value buildCount(bool fromVector);
  /// Whether each element of side 0 has a partner (vector of i1).
  Value getFoundVector();
  /// For each element of side 0, its partner's element of an array that side 1
  /// indexes; some element of the block if it has none.
  Value selectPartners(Value array);

private:
  void compareScalars();
  void extractColumns();
  void compareColumns();
  /// For each element of side 0, the scalar of its partner's lane.
  Value selectColumns(ArrayRef<Value> scalars);

  LaneBlock &block;
  const bool simd;
  /// Scalars, a lane of side 0 each.
  SmallVector<Value> found, partners;
  /// Masks over the lanes of side 0, one for each lane of side 1.
  SmallVector<Value> columns;
  Value foundVector;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_MATCHPHASE_H
