//===- WorkspaceLane.h - A segment as a dense array -------------*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELANE_H
#define SPLYCE_LIB_WORKSPACELANE_H

#include "Splyce/FastLane.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// What lane=auto decides between; null with lane=workspace.
struct WorkspaceVersions {
  /// The two-finger loop that runs where a workspace does not pay.
  scf::WhileOp without;
  /// All loops with lanes in the first branch, and left as they are in the
  /// other; null where lanes are counted.
  scf::IfOp lanes;
};

/// Replace the loop by one over the elements of the other side; `loop` is
/// erased.
WorkspaceVersions buildWorkspaceLane(const IntersectionLoop &loop,
                                     WorkspacePlan plan,
                                     const LaneOptions &options);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELANE_H
