//===- JammedLane.h - Two masked lanes in one loop --------------*- C++ -*-===//

#ifndef SPLYCE_LIB_JAMMEDLANE_H
#define SPLYCE_LIB_JAMMEDLANE_H

#include "SegmentGuard.h"
#include "Splyce/FastLane.h"

namespace mlir::splyce {

/// Whether the masked lanes of two iterations of the loop outside may run side
/// by side; if not, `reason` says what is in the way.
LogicalResult checkJam(const IntersectionLoop &loop, const LaneOptions &options,
                       std::string &reason);

/// Replace the two-finger loops of an unrolled pair of iterations by masked
/// lanes: while both have something left they run in one loop, and behind it
/// each on its own. Both loops are erased.
FastLane buildJammedLane(const std::array<IntersectionLoop, 2> &loops,
                         const std::optional<HoistedSegment> &hoisted,
                         const LaneOptions &options);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_JAMMEDLANE_H
