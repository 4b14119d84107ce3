//===- WorkspaceCost.h - Whether a workspace pays ---------------*- C++ -*-===//
//
// What lane=auto decides at run time: whether to allocate a workspace, and for
// each run of the loop outside whether to scatter into it.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_WORKSPACECOST_H
#define SPLYCE_LIB_WORKSPACECOST_H

#include "Splyce/FastLane.h"
#include "WorkspacePlan.h"

namespace mlir::splyce {

/// An estimate as values of the kernel; times are nanoseconds (f64).
class WorkspaceCost {
public:
  WorkspaceCost(ImplicitLocOpBuilder &b, const WorkspacePlan &plan,
                const LaneOptions &options)
      : b(b), plan(plan), options(options) {}

  /// Build in front of the place of the workspace: whether the kernel is so
  /// large that a lane repays its set-up (i1).
  Value buildIsLarge();
  /// Build in front of the place of the workspace, from storage specifiers and
  /// the bounds of loops: whether a workspace of `size` elements (index) is
  /// within its limit and expected to repay its clearing (i1).
  Value buildMayPay(Value size);
  /// Build in front of the loop outside, after that: whether this run of it
  /// repays scattering and clearing `length` elements (index).
  Value buildPays(Value length);

private:
  Value number(double value);
  Value toNumber(Value index);
  Value add(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value isGreater(Value lhs, Value rhs);
  Value buildAverage(const StorageLevel &level);
  Value buildTrips(Operation *op);
  SmallVector<Operation *> getLoops() const;
  bool isKnown(Operation *loop) const;
  Value buildHasMany();
  Value buildKnownTrips();
  Value buildByDistance(Value bytes, ArrayRef<double> costs);
  Value buildSaving(Value length);

  ImplicitLocOpBuilder &b;
  const WorkspacePlan &plan;
  const LaneOptions &options;
  /// Of scattering an element and clearing it.
  Value scatter;
  /// What a pair of segments saves, but for the elements of the own one.
  Value savedByOther;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_WORKSPACECOST_H
