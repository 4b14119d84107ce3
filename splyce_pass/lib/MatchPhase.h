//===- MatchPhase.h - Phase 1: which pairs match ----------------*- C++ -*-===//

#ifndef SPLYCE_LIB_MATCHPHASE_H
#define SPLYCE_LIB_MATCHPHASE_H

#include "LaneBlock.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::splyce {

/// For each element of side 0 in a block, its partner in side 1. Coordinates
/// are unique, so there is at most one. Where one instruction finds them, the
/// matches are in front, and "element" means match. Otherwise a vector of side
/// 0 is compared with n arrangements of side 1: a lane in all places, or
/// rotated; or the number of the lane that matches is selected, and its element
/// permuted to its partner.
class Matches {
public:
  Matches(LaneBlock &block, bool simd,
          Intersect intersect = Intersect::Compare);

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
  /// The coordinate of each element, in the type they are compared in.
  Value getCoordinates();
  /// What a load of the body at a cursor gives for each element of side 0; for
  /// side 1 without a partner some element of the block, or zero.
  Value getLoadedVector(memref::LoadOp load, bool zeroUnmatched = false);
  /// What it gives for each match, in front, and `fill` behind; only where one
  /// instruction finds the matches.
  Value getMatchedVector(memref::LoadOp load, Value fill);
  /// One lane of `getLoadedVector`, where phase 1 is SIMD.
  Value getLoaded(memref::LoadOp load, unsigned lane);
  bool isSimd() const { return simd; }
  /// Whether matches are in front.
  bool areInFront() const { return intersect == Intersect::Vp2Intersect; }

private:
  void compareScalars();
  void extractColumns();
  void compareColumns();
  void findPartnerLanes();
  void intersectVectors();
  void countMatches();
  /// Which lane of side 1 is beside each of side 0 in an arrangement.
  SmallVector<int64_t> getArrangement(int64_t number) const;
  /// The n arrangements of a vector.
  SmallVector<Value> arrange(Value vector);
  /// For each element of side 0, its partner in n arrangements; one is a vector
  /// or the scalar that is in all lanes.
  Value selectColumns(ArrayRef<Value> arrangements);
  Value selectPartners(Value array);
  Value getPartners(Value array, bool zeroUnmatched);
  /// The lane of side 1 that is the partner of each element (vector of index).
  Value getPartnerLanes();

  LaneBlock &block;
  const bool simd;
  const Intersect intersect;
  /// Scalars, a lane of side 0 each.
  SmallVector<Value> found, partners;
  llvm::SmallDenseMap<Operation *, SmallVector<Value>> loaded;
  /// Masks over the lanes of side 0, one for each arrangement of side 1: which
  /// lanes take their partner from it, if from none behind it.
  SmallVector<Value> columns;
  /// Lanes of side 1 as integers, where partners are permuted to their places.
  Value partnerLanes;
  Value foundVector;
  /// Which lanes of each side match, where one instruction finds them.
  std::array<Value, 2> matched;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_MATCHPHASE_H
