//===- SeveralSums.h - Lookups that add to several sums ---------*- C++ -*-===//

#ifndef SPLYCE_LIB_SEVERALSUMS_H
#define SPLYCE_LIB_SEVERALSUMS_H

#include "LookupBody.h"

namespace mlir::splyce {

/// Whether the lookups of a segment are added up in several sums.
bool hasSeveralSums(const IntersectionLoop &loop, const LaneOptions &options);

/// Build the loops over the elements of the other side from `first` to `end`,
/// from the accumulators, and the count of matches if there is one, to what
/// they are behind them.
SmallVector<Value> buildSeveralSums(ImplicitLocOpBuilder &b, LookupBody &body,
                                    ArrayRef<Addend> addends, Value first,
                                    Value end, ValueRange carried);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_SEVERALSUMS_H
