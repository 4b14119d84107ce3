//===- WorkspaceLookups.h - Look coordinates up in a workspace --*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELOOKUPS_H
#define SPLYCE_LIB_WORKSPACELOOKUPS_H

#include "ComputePhase.h"
#include "SegmentGuard.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// A segment as a dense array.
struct Workspace {
  /// Where there is an element (i8).
  Value tags;
  /// Its elements of each array of the plan.
  SmallVector<Value> elements;
};

/// Whether the lookups of a segment are added up in several sums.
bool hasSeveralSums(const IntersectionLoop &loop, const LaneOptions &options);

/// A coordinate of a side at a cursor as an index.
Value loadIndex(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                Value cursor);

/// Whether the other segment, which may be empty while its coordinate array has
/// an element, may have a match with the own one of that range (i1).
Value buildMayMatch(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                    const WorkspacePlan &plan, const Workspace &workspace,
                    CoordinateRange range);

/// Build the loop over the elements of the other side at the insertion point of
/// `b`, from the initial accumulators to the last ones.
SmallVector<Value> buildLookups(ImplicitLocOpBuilder &b,
                                const IntersectionLoop &loop,
                                const WorkspacePlan &plan,
                                const LaneOptions &options,
                                const Workspace &workspace);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELOOKUPS_H
