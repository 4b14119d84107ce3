//===- EstimateBuilder.h - Numbers that a kernel estimates with -*- C++ -*-===//

#ifndef SPLYCE_LIB_ESTIMATEBUILDER_H
#define SPLYCE_LIB_ESTIMATEBUILDER_H

#include "WorkspacePlan.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"

namespace mlir::splyce {

/// Builds f64 arithmetic, and averages of levels as a call finds them.
class EstimateBuilder {
protected:
  explicit EstimateBuilder(ImplicitLocOpBuilder &b) : b(b) {}

  Value number(double value);
  Value index(int64_t value);
  Value toNumber(Value index);
  Value add(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value least(Value lhs, Value rhs);
  /// False as well where an estimate is not a number, as for a level without
  /// segments.
  Value isGreater(Value lhs, Value rhs);
  /// True as well where an estimate is not a number.
  Value isFrom(Value value, double least);

  /// The size of an array of a level (index).
  Value getSize(const StorageLevel &level,
                sparse_tensor::StorageSpecifierKind kind);
  /// The number of segments of a level.
  Value buildSegments(const StorageLevel &level);
  /// The average length of the segments of a level.
  Value buildAverage(const StorageLevel &level);

  ImplicitLocOpBuilder &b;
};

} // namespace mlir::splyce

#endif // SPLYCE_LIB_ESTIMATEBUILDER_H
