//===- FastLane.h - The SIMD loop in front ----------------------*- C++ -*-===//

#ifndef SPLYCE_FASTLANE_H
#define SPLYCE_FASTLANE_H

#include "Splyce/IntersectionLoop.h"
#include "Splyce/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::splyce {

/// Which fast lane to build.
struct LaneOptions {
  Lane lane = Lane::Paper;
  unsigned width = 4;
  bool simdMatch = true;
  bool simdCompute = false;
  bool simdAdvance = false;
  FPOrder order = FPOrder::Tree;
  Intersect intersect = Intersect::Compare;
  /// For lane=auto: the largest workspace, and the cache that makes it fast.
  int64_t workspaceBytes = 0, cacheBytes = 0;
  /// Iterations of the loop outside that a masked lane takes at a time.
  unsigned jam = 1;
  bool count = false;
};

/// What a fast lane leaves to the loop behind it, and what it counted.
struct FastLane {
  /// Initial values of the scalar loop, one for each loop-carried value; its
  /// results if the lane takes its place.
  SmallVector<Value> results;
  /// The same before the masked vectors; empty if the lane has none.
  SmallVector<Value> unmasked;
  /// Matches found (i64); null unless counting.
  Value matches;
  /// Whether the updates of accumulators keep the order of the scalar loop.
  bool keepsOrder = false;
  /// Whether phase 2 is scalar code.
  bool scalarCompute = false;
};

/// Build the fast lane at the insertion point of `b`; `loop` does not change.
FastLane buildFastLane(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                       const LaneOptions &options);

/// Whether another loop can take the place of the scalar one; if not, `reason`
/// says what is in the way.
LogicalResult checkReplaceable(const IntersectionLoop &loop,
                               std::string &reason);

/// How the masked lane finds matches in a loop: `wanted`, unless that is to be
/// chosen by the `target_features` of the function.
Intersect chooseIntersect(const IntersectionLoop &loop, Intersect wanted,
                          unsigned width);

/// Whether an instruction permutes n coordinates of a loop, and n elements of
/// what its body loads for side 1.
bool canPermute(const IntersectionLoop &loop, unsigned width);

/// Whether the way that the masked lane finds matches fits the loop; if not,
/// `reason` says what is in the way.
LogicalResult checkIntersect(const IntersectionLoop &loop,
                             const LaneOptions &options, std::string &reason);

/// Build the masked lane at the insertion point of `b`, to replace the results
/// of `loop`, which does not change.
FastLane buildMaskedLane(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                         const LaneOptions &options);

} // namespace mlir::splyce

#endif // SPLYCE_FASTLANE_H
