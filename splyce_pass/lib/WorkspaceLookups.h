//===- WorkspaceLookups.h - Look coordinates up in a workspace --*- C++ -*-===//

#ifndef SPLYCE_LIB_WORKSPACELOOKUPS_H
#define SPLYCE_LIB_WORKSPACELOOKUPS_H

#include "Splyce/FastLane.h"
#include "WorkspacePlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::splyce {

/// A segment as a dense array.
struct Workspace {
  /// Where there is an element (i8).
  Value tags;
  /// Its elements of each array of the plan.
  SmallVector<Value> elements;
};

/// A coordinate of a side at a cursor as an index.
Value loadIndex(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                Value cursor);

/// Build the loops over the elements of the other side at the insertion point
/// of `b`, from the initial accumulators to the last ones.
SmallVector<Value> buildLookups(ImplicitLocOpBuilder &b,
                                const IntersectionLoop &loop,
                                const WorkspacePlan &plan,
                                const LaneOptions &options,
                                const Workspace &workspace);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACELOOKUPS_H
