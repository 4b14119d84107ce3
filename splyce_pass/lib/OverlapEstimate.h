//===- OverlapEstimate.h - How many segments meet ---------------*- C++ -*-===//

#ifndef SPLYCE_LIB_OVERLAPESTIMATE_H
#define SPLYCE_LIB_OVERLAPESTIMATE_H

#include "EstimateBuilder.h"

namespace mlir::splyce {

/// Estimates how many pairs of segments overlap, and how many of those match,
/// from averages of levels and from some segments that are spread over them.
class OverlapEstimate : EstimateBuilder {
public:
  OverlapEstimate(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                  const WorkspacePlan &plan)
      : EstimateBuilder(b), loop(loop), plan(plan) {}

  /// Build in front of the place of the workspace, given its size (f64).
  void begin(Value size);
  /// The average length of the segments of the other side; before what follows.
  Value buildOtherLength();
  /// Look at some segments of the other side, if that is wanted (i1).
  void sampleOther(Value wanted);
  /// Look at some of the own side too, behind that.
  void sampleOwn(Value wanted);
  /// The share of them that overlap an own segment of a range and a length.
  Value buildShare(const CoordinateRange &range, Value length);
  /// The share of all pairs that overlap, null if no own segment was looked at.
  Value getUsualShare() const { return usualShare; }
  /// The share of overlapping pairs that match.
  Value buildMatched();

private:
  /// What is seen of a side: the range of an average segment, and the share of
  /// segments whose first or last coordinate is that of another.
  struct Ends {
    Value range, shared;
  };
  Value findPositions(unsigned side);
  Value loadPosition(Value positions, Value segment);
  SmallVector<Value> buildSample(unsigned side, Value start, Value end,
                                 ValueRange seen);
  Ends sample(unsigned side, Value wanted);

  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  Value other;
  /// 1 / size.
  Value perCoordinate;
  /// Null where they are not known.
  Ends otherEnds;
  Value usualShare;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_OVERLAPESTIMATE_H
