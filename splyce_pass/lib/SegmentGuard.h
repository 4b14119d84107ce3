//===- SegmentGuard.h - Skip segments that cannot match ---------*- C++ -*-===//
//
// Tests in front of a lane, and what moves under them.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_SEGMENTGUARD_H
#define SPLYCE_LIB_SEGMENTGUARD_H

#include "Splyce/IntersectionLoop.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::splyce {

/// The first and the last coordinate of a segment, as they are compared.
struct CoordinateRange {
  Value first, last;
};

/// A segment that was found in front of the loop outside.
struct HoistedSegment {
  unsigned side = 0;
  Value start, end;
  /// Whether it has an element (i1).
  Value nonEmpty;
  CoordinateRange range;
};

/// The load and the store of an accumulator that lives in memory.
struct SumInMemory {
  memref::LoadOp load;
  memref::StoreOp store;
};

/// Find the load before and the store behind the loop of its only accumulator,
/// if they access one element and nothing else uses what they move.
std::optional<SumInMemory> findSum(const IntersectionLoop &loop);

/// Whether a segment of a side has an element (i1).
Value buildNonEmpty(ImplicitLocOpBuilder &b, const IntersectionSide &side,
                    Value start, Value end);

/// Whether the coordinate array of a side has an element (i1): then one may be
/// loaded for an empty segment.
Value buildHasElement(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                      unsigned side);

/// The last cursor of the segment of a side; for an empty segment some cursor
/// within its coordinate array, which has an element.
Value buildLastCursor(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                      unsigned side);

/// Load the range of a segment that is not empty.
CoordinateRange loadRange(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                          unsigned side, Value start, Value end);

/// Load the range of a segment that may be empty, if its coordinate array has
/// an element. The range of an empty segment lies behind every other.
CoordinateRange loadPossibleRange(ImplicitLocOpBuilder &b,
                                  const IntersectionLoop &loop, unsigned side);

/// Whether two ranges have a number in common (i1), as one comparison.
Value buildOverlap(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                   std::array<CoordinateRange, 2> ranges);

/// Move the loop under a test. The load and the store of a sum that stays in
/// memory move with it. Needs that the last cursors are unused.
void moveUnder(const IntersectionLoop &loop, Value condition);

/// Move the loop under a test that neither segment is empty, and nothing with
/// it. The scalar loop makes the same test first, and where one segment stays
/// the same in the loop outside, LLVM unswitches that loop on it; behind a fast
/// lane the cursor is no longer invariant, and empty rows would run the whole
/// loop outside.
void guardNonEmpty(const IntersectionLoop &loop);

/// The tests that two segments have a common range of coordinates. `hoisted` is
/// what is known of one of them in front of the loop outside.
class OverlapTest {
public:
  OverlapTest(const IntersectionLoop &loop,
              const std::optional<HoistedSegment> &hoisted);

  /// Whether the ranges may be loaded (i1): the same in each iteration of the
  /// loop outside.
  Value buildMayLoad(ImplicitLocOpBuilder &b) const;
  /// Whether the ranges overlap (i1); needs that they may be loaded.
  Value build(ImplicitLocOpBuilder &b) const;

private:
  const IntersectionLoop &loop;
  const std::optional<HoistedSegment> &hoisted;
  /// Whether a segment is the same in each iteration.
  std::array<bool, 2> isSame;
};

/// Move the loop under these tests: elsewhere memory is not touched.
void guardOverlap(const IntersectionLoop &loop,
                  const std::optional<HoistedSegment> &hoisted);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_SEGMENTGUARD_H
