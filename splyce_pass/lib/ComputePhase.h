//===- ComputePhase.h - Phase 2: combine what matches -----------*- C++ -*-===//

#ifndef SPLYCE_LIB_COMPUTEPHASE_H
#define SPLYCE_LIB_COMPUTEPHASE_H

#include "Addends.h"
#include "MatchPhase.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::splyce {

class VectorBody;

/// How phase 2 of a loop is done; decided once, before anything is built.
struct ComputePlan {
  /// One addend for each accumulator; empty if the source order is kept.
  SmallVector<Addend> addends;
  /// The same if the source order is kept by adding the neutral number for
  /// what does not match: one addition waits for another, and for no selection.
  SmallVector<Addend> ordered;
  /// Whether values are combined as vectors.
  bool simd = false;
  /// Whether the body runs only if the block has a match.
  bool guarded = false;
  /// Whether the accumulators are vectors while the lane runs.
  bool vectorState = false;
  /// Extra flags of the additions that the lane makes.
  arith::FastMathFlags flags = arith::FastMathFlags::none;
};

/// Decide how phase 2 is done.
ComputePlan planCompute(const IntersectionLoop &loop,
                        const LaneOptions &options);

/// Builds phase 2 by repeating the body of the scalar loop.
class ComputePhase {
public:
  ComputePhase(const IntersectionLoop &loop, const ComputePlan &plan)
      : loop(loop), plan(plan) {}

  /// Values that the lane carries instead of the accumulators.
  SmallVector<Value> begin(ImplicitLocOpBuilder &b, ValueRange accumulators,
                           unsigned width);
  /// The carried values after one block.
  SmallVector<Value> build(LaneBlock &block, Matches &matches,
                           ValueRange state);
  /// The accumulators after the lane.
  SmallVector<Value> finish(ImplicitLocOpBuilder &b, ValueRange accumulators,
                            ValueRange state);

private:
  SmallVector<Value> buildPlain(LaneBlock &block, Matches &matches,
                                ValueRange state);
  SmallVector<Value> buildPairs(LaneBlock &block, Matches &matches,
                                SmallVector<Value> state);
  SmallVector<Value> buildScalars(LaneBlock &block, Matches &matches,
                                  SmallVector<Value> state);
  SmallVector<Value> buildScalarSums(LaneBlock &block, Matches &matches,
                                     ValueRange state);
  SmallVector<Value> buildTerms(LaneBlock &block, Matches &matches,
                                const Addend &addend) const;
  IRMapping mapPair(LaneBlock &block, Matches &matches, unsigned lane) const;
  SmallVector<Value> buildVectors(LaneBlock &block, Matches &matches,
                                  ValueRange state);
  SmallVector<Value> cloneBody(LaneBlock &block, Matches &matches,
                               unsigned lane, ValueRange state);
  SmallVector<Value> buildOrderedSums(LaneBlock &block, VectorBody &body,
                                      Matches &matches, ValueRange state);
  Value add(ImplicitLocOpBuilder &b, Value lhs, Value rhs) const;

  const IntersectionLoop &loop;
  const ComputePlan &plan;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_COMPUTEPHASE_H
