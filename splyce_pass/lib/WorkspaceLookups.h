//===- WorkspaceLookups.h - Look coordinates up in a workspace --*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELOOKUPS_H
#define SPLYCE_LIB_WORKSPACELOOKUPS_H

#include "LookupBody.h"

namespace mlir::splyce {

/// Build the loops over the elements of the other side at the insertion point
/// of `b`, from the initial accumulators to the last ones.
SmallVector<Value> buildLookups(ImplicitLocOpBuilder &b,
                                const IntersectionLoop &loop,
                                const WorkspacePlan &plan,
                                const LaneOptions &options,
                                const Workspace &workspace);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELOOKUPS_H
