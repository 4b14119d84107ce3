//===- Addends.h - Updates that are sums ------------------------*- C++ -*-===//

#ifndef SPLYCE_LIB_ADDENDS_H
#define SPLYCE_LIB_ADDENDS_H

#include "Splyce/FastLane.h"

namespace mlir::splyce {

/// The part of an update `acc + value` or `acc - value` that is added.
struct Addend {
  Value value;
  bool isSubtracted = false;

  /// The number with which the update leaves everything as it is.
  double getNeutral() const { return isSubtracted ? 0.0 : -0.0; }
};

/// The addends, one for each accumulator, if all updates are sums of their own
/// accumulator and of nothing else that depends on one; otherwise none.
SmallVector<Addend> matchAddends(const IntersectionLoop &loop);

/// Repeat the update of an accumulator from a sum with another value.
Value repeatSum(ImplicitLocOpBuilder &b, const IntersectionLoop &loop,
                unsigned k, const Addend &addend, Value sum, Value value);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_ADDENDS_H
