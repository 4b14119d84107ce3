//===- WorkspaceCost.h - Whether a workspace pays ---------------*- C++ -*-===//
//
// What lane=auto decides at run time: whether to allocate a workspace, and for
// each run of the loop outside whether to scatter into it.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_WORKSPACECOST_H
#define SPLYCE_LIB_WORKSPACECOST_H

#include "OverlapEstimate.h"
#include "Splyce/FastLane.h"

namespace mlir::splyce {

/// An estimate as values of the kernel; times are nanoseconds (f64).
class WorkspaceCost : EstimateBuilder {
public:
  WorkspaceCost(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                const WorkspacePlan &plan, const LaneOptions &options)
      : EstimateBuilder(b), loop(loop), plan(plan), options(options),
        overlap(b, loop, plan) {}

  /// Build in front of the place of the workspace: whether the kernel is so
  /// large that a lane repays its set-up (i1).
  Value buildIsLarge();
  /// Build in front of the place of the workspace, from storage specifiers and
  /// the bounds of loops: whether a workspace of `size` elements (index) is
  /// within its limit and expected to repay its clearing (i1).
  Value buildMayPay(Value size);
  /// Build in front of the loop outside, after that: whether this run of it
  /// repays scattering and clearing the own segment.
  Value buildPays(const HoistedSegment &segment);

private:
  struct VisitCosts;
  const VisitCosts &getVisits() const;
  Value buildTrips(Operation *op);
  SmallVector<Operation *> getLoops() const;
  bool isKnown(Operation *loop) const;
  bool knowsLoops() const;
  Value buildSteps();
  Value buildIsNew();
  Value buildHasMany();
  Value buildKnownTrips();
  Value buildByDistance(Value bytes, ArrayRef<double> costs);
  double getStep() const;
  bool hasNoInstruction() const {
    return options.intersect != Intersect::Vp2Intersect;
  }
  Value buildSaving(Value length, Value share);

  const IntersectionLoop &loop;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  OverlapEstimate overlap;
  /// Of scattering an element and clearing it.
  Value scatter;
  /// What an overlapping pair saves, but for the elements of the own one; and
  /// more if that is longer than a vector.
  Value savedByOther, savedByBlocks;
  /// What any pair saves, and more for each element of the own segment, if one
  /// share is taken for all runs; null where each has its own.
  Value savedByPair, savedByElement;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACECOST_H
