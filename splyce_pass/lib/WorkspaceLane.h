//===- WorkspaceLane.h - A segment as a dense array -------------*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELANE_H
#define SPLYCE_LIB_WORKSPACELANE_H

#include "Splyce/FastLane.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// Replace the loop by one over the elements of the other side; `loop` is
/// erased.
void buildWorkspaceLane(const IntersectionLoop &loop, const WorkspacePlan &plan,
                        const LaneOptions &options);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELANE_H
