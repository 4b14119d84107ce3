//===- WorkspaceLane.h - A segment as a dense array -------------*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELANE_H
#define SPLYCE_LIB_WORKSPACELANE_H

#include "Splyce/FastLane.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// Replace the loop by one over the elements of the other side; `loop` is
/// erased. With lane=auto the loop outside is there twice, and the two-finger
/// loop of the copy that runs where a workspace does not pay is returned;
/// otherwise null.
scf::WhileOp buildWorkspaceLane(const IntersectionLoop &loop,
                                WorkspacePlan plan, const LaneOptions &options);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELANE_H
