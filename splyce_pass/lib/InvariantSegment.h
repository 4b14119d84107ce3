//===- InvariantSegment.h - A segment shared by iterations ------*- C++ -*-===//
//
// A segment that is the same in each iteration of the loop directly outside:
// whether there is one, and what is found of it once in front of that loop.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_INVARIANTSEGMENT_H
#define SPLYCE_LIB_INVARIANTSEGMENT_H

#include "SegmentGuard.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::splyce {

/// The loop directly outside, an `scf.for` or `scf.parallel`.
struct OuterLoop {
  Operation *op = nullptr;
  /// The roots of the buffers that it stores to.
  llvm::SmallDenseSet<Value> written;
};

/// A segment that is the same in each of its iterations.
struct InvariantSegment {
  unsigned side = 0;
  /// The loop outside.
  Operation *outer = nullptr;
  /// What computes the segment in it, producers first.
  SmallVector<Operation *> producers;
};

/// Find the loop outside, of which the two-finger loop runs in every iteration;
/// on failure `reason` says what is in the way.
FailureOr<OuterLoop> findOuterLoop(const IntersectionLoop &loop,
                                   std::string &reason);

/// Whether arrays are made outside of that loop, which does not store to them.
/// Taken for granted is that buffers with different roots do not overlap.
LogicalResult checkUnchanged(const OuterLoop &outer, ArrayRef<Value> arrays,
                             std::string &reason);

/// Find what computes the segment of a side, if it is invariant.
FailureOr<InvariantSegment> findInvariantSegment(const IntersectionLoop &loop,
                                                 const OuterLoop &outer,
                                                 unsigned side,
                                                 std::string &reason);

/// Find an invariant segment and its range in front of the loop outside; it is
/// empty if that loop has no iteration. `b` is left there.
HoistedSegment hoistSegment(ImplicitLocOpBuilder &b,
                            const IntersectionLoop &loop,
                            const InvariantSegment &segment);

/// Hoist the segment of a side that is invariant, if there is one, and let the
/// two-finger loop begin and end with it.
std::optional<HoistedSegment> hoistAnySegment(IntersectionLoop &loop);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_INVARIANTSEGMENT_H
