//===- SegmentGuard.h - Skip segments that cannot match ---------*- C++ -*-===//
//
// Tests in front of a lane, and what moves under them.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_SEGMENTGUARD_H
#define SPLYCE_LIB_SEGMENTGUARD_H

#include "Splyce/IntersectionLoop.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::splyce {

/// The first and the last coordinate of a segment, as they are compared.
struct CoordinateRange {
  Value first, last;
};

/// Whether a segment of a side has an element (i1).
Value buildNonEmpty(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                    Value start, Value end);

/// Load the range of a segment that is not empty.
CoordinateRange loadRange(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                          unsigned side, Value start, Value end);

/// Move the loop under a test that neither segment is empty. The scalar loop
/// makes the same test first, and where one segment stays the same in the loop
/// outside, LLVM unswitches that loop on it; behind a fast lane the cursor is
/// no longer invariant, and empty rows would run the whole loop outside.
void guardNonEmpty(const IntersectionLoop &loop);

/// Move the loop under a test that the segments have a common range of
/// coordinates. The load and the store of a sum that stays in memory move with
/// it: where nothing matches, memory is not touched. Needs that the last
/// cursors are unused.
void guardOverlap(const IntersectionLoop &loop);

/// The same for a segment of side `side` that is known before the loop outside:
/// whether it has an element, and its range.
void guardOverlap(const IntersectionLoop &loop, unsigned side, Value nonEmpty,
                  CoordinateRange range);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_SEGMENTGUARD_H
