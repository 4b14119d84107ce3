//===- WorkspaceSegment.h - The segment in front of its loop ----*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACESEGMENT_H
#define SPLYCE_LIB_WORKSPACESEGMENT_H

#include "SegmentGuard.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// The segment that stays the same in the loop outside.
struct OwnSegment {
  Value start, end;
  /// Whether it has an element (i1).
  Value nonEmpty;
  /// Its range of coordinates, zeros if it is empty.
  CoordinateRange range;
};

/// Find the segment of a plan in front of the loop outside; empty if that does
/// not run.
OwnSegment buildSegment(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                        const WorkspacePlan &plan);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACESEGMENT_H
