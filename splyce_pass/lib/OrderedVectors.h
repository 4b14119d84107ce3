//===- OrderedVectors.h - Whole vectors, sums in order ----------*- C++ -*-===//

#ifndef SPLYCE_LIB_ORDEREDVECTORS_H
#define SPLYCE_LIB_ORDEREDVECTORS_H

#include "ComputePhase.h"

namespace mlir::splyce {

/// Whether the loop over whole vectors keeps the order of sums by a buffer.
bool canBuffer(const ComputePlan &plan, unsigned width);

/// Build the loop over whole vectors of the masked lane, with a buffer for what
/// matches. It carries what `buildLaneLoop` does; `advance` builds the cursors
/// behind a block.
SmallVector<Value> buildOrderedVectors(
    ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
    const LaneOptions &options, const ComputePlan &plan, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(LaneBlock &)> advance);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_ORDEREDVECTORS_H
