//===- LaneLoop.h - The loop around the blocks ------------------*- C++ -*-===//
//
// A loop of a lane carries the cursors, the state of phase 2, and the count of
// matches if there is one, in this order.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_LANELOOP_H
#define SPLYCE_LIB_LANELOOP_H

#include "ComputePhase.h"

namespace mlir::splyce {

/// The initial values of the accumulators.
SmallVector<Value> initialAccumulators(const IntersectionLoop &loop);

/// The values that the first loop of a lane starts with.
SmallVector<Value> buildInits(ImplicitLocOpBuilder &b,
                              const IntersectionLoop &loop,
                              const LaneOptions &options, ValueRange state);

/// The bounds of the cursors below which n coordinates of each side are left.
SmallVector<Value> buildLimits(ImplicitLocOpBuilder &b,
                               const IntersectionLoop &loop, unsigned width);

/// Whether all cursors are below their limits (i1). Several two-finger loops in
/// one are carried one behind the other, each with its cursors first and with
/// the same number of values.
Value buildIsInside(ImplicitLocOpBuilder &b,
                    ArrayRef<const IntersectionLoop *> loops,
                    ArrayRef<Value> limits, ValueRange carried);

/// Build a loop that runs while all cursors are below their limits; `block`
/// builds an iteration and returns the carried values after it.
SmallVector<Value>
buildLaneLoop(ImplicitLocOpBuilder &b, ArrayRef<const IntersectionLoop *> loops,
              ValueRange inits, ArrayRef<Value> limits,
              llvm::function_ref<SmallVector<Value>(ValueRange)> block);

/// Build phase 2 of a block and count its matches: what is carried behind the
/// cursors.
SmallVector<Value> buildState(LaneBlock &block, Matches &matches,
                              const LaneOptions &options,
                              const ComputePlan &plan, ValueRange carried);

/// Put cursors and accumulators where the scalar loop has them.
SmallVector<Value> arrangeResults(const IntersectionLoop &loop,
                                  ValueRange cursors, ValueRange accumulators);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LANELOOP_H
