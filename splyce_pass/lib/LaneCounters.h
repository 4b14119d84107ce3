//===- LaneCounters.h - Instrumented kernels --------------------*- C++ -*-===//

#ifndef SPLYCE_LIB_LANECOUNTERS_H
#define SPLYCE_LIB_LANECOUNTERS_H

#include "Splyce/FastLane.h"

namespace mlir::splyce {

/// Declare the counters in a module; fails if a name is taken by another op.
LogicalResult declareCounters(Operation *module);

/// Count what the lane and the scalar loop behind it consume and match. To be
/// called when the loop already starts from the lane's results.
void buildCounters(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                   const FastLane &lane, ValueRange laneStart);

/// Count the same for a masked lane, with its masked vectors in place of the
/// scalar loop, at the insertion point of `b`.
void buildMaskedCounters(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                         const FastLane &lane, ValueRange laneStart);

/// Count the elements of one side, from a cursor to another, and the matches
/// that a workspace had for them (i64), at the insertion point of `b`.
void buildWorkspaceCounters(ImplicitLocOpBuilder &b, Value from, Value to,
                            Value matches);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LANECOUNTERS_H
