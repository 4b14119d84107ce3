//===- AdvancePhase.h - Phase 3: move the cursors ---------------*- C++ -*-===//

#ifndef SPLYCE_LIB_ADVANCEPHASE_H
#define SPLYCE_LIB_ADVANCEPHASE_H

#include "LaneBlock.h"

namespace mlir::splyce {

/// The cursor of a side behind its coordinates in the block that are not
/// greater than the smaller of the two last coordinates.
Value buildAdvance(LaneBlock &block, unsigned side, bool simd);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_ADVANCEPHASE_H
