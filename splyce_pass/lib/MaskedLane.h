//===- MaskedLane.h - Whole vectors, then masked ones -----------*- C++ -*-===//

#ifndef SPLYCE_LIB_MASKEDLANE_H
#define SPLYCE_LIB_MASKEDLANE_H

#include "LaneLoop.h"

namespace mlir::splyce {

/// Builds the masked lane of a loop, as a whole or block by block.
class MaskedLane {
public:
  MaskedLane(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
             const LaneOptions &options);

  /// What the lane carries at first: the cursors and the state behind them.
  SmallVector<Value> buildStart();
  /// What it carries after a block.
  SmallVector<Value> buildBlock(ValueRange carried, bool masked);
  /// The bounds of the cursors below which there is a whole or a masked block.
  SmallVector<Value> buildLimits(bool masked);
  /// Both loops, from what is carried.
  FastLane build(ValueRange start);

private:
  SmallVector<Value> buildLoop(ValueRange inits, bool masked);
  SmallVector<Value> buildWhole(ValueRange start);

  ImplicitLocOpBuilder &b;
  const IntersectionLoop &loop;
  const LaneOptions &options;
  const ComputePlan plan;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_MASKEDLANE_H
