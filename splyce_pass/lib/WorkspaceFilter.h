//===- WorkspaceFilter.h - Skip segments that find nothing ------*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACEFILTER_H
#define SPLYCE_LIB_WORKSPACEFILTER_H

#include "LookupBody.h"
#include "SegmentGuard.h"

namespace mlir::splyce {

/// Whether the other segment, which may be empty while its coordinate array has
/// an element, may have a match with the own one of that range (i1).
Value buildMayMatch(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                    const WorkspacePlan &plan, const Workspace &workspace,
                    CoordinateRange range);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACEFILTER_H
