//===- WorkspacePlan.h - Whether a workspace is legal -----------*- C++ -*-===//
//
// What has to hold for a segment to be scattered into a dense array once for
// all iterations of the loop outside. Nothing here changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_WORKSPACEPLAN_H
#define SPLYCE_LIB_WORKSPACEPLAN_H

#include "InvariantSegment.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

namespace mlir::splyce {

/// A level of a sparse tensor in the code-generation convention.
struct StorageLevel {
  Value specifier;
  IntegerAttr level;
};

/// The segment that is scattered, and where.
struct WorkspacePlan : InvariantSegment {
  /// The loop at which the workspace is allocated: `outer`, or one around it
  /// that does not run its iterations in parallel.
  Operation *place = nullptr;
  /// The arrays of that side that the body reads, without the coordinates.
  SmallVector<Value> arrays;
  /// The levels whose sizes bound the coordinates.
  std::array<StorageLevel, 2> levels;
};

/// The size in a storage specifier that an array is cut to, if it is one.
sparse_tensor::GetStorageSpecifierOp findStorageSize(Value array);

/// Plan a workspace; on failure `reason` says what is in the way. Taken for
/// granted is, as everywhere in the pass, that buffers with different roots do
/// not overlap.
FailureOr<WorkspacePlan> planWorkspace(const IntersectionLoop &loop,
                                       std::string &reason);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACEPLAN_H
