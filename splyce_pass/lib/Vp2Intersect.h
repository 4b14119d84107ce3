//===- Vp2Intersect.h - Phase 1 by one x86 instruction ----------*- C++ -*-===//
//
// AVX512-VP2INTERSECT says of each lane of two vectors whether the other vector
// has the same number. Both sides are sorted, so that the first match of one is
// the partner of the first match of the other, and so on: compressed by their
// masks the partners are side by side.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_VP2INTERSECT_H
#define SPLYCE_LIB_VP2INTERSECT_H

#include "LaneBlock.h"

namespace mlir::splyce {

/// Whether the instruction exists for n coordinates and elements of a loop; if
/// not, `reason` says what is in the way.
LogicalResult checkVp2Intersect(const IntersectionLoop &loop, unsigned width,
                                std::string &reason);

/// Which lanes of each side have a partner (vectors of i1), in a masked block
/// only of those that belong to it.
std::array<Value, 2> buildVp2Intersect(LaneBlock &block);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_VP2INTERSECT_H
