//===- UnrollLoop.h - Two iterations of the loop outside --------*- C++ -*-===//
//
// The loop outside takes two iterations at a time, with their two-finger loops
// behind all that both compute in front of them.
//
//===----------------------------------------------------------------------===//

#ifndef SPLYCE_LIB_UNROLLLOOP_H
#define SPLYCE_LIB_UNROLLLOOP_H

#include "Splyce/IntersectionLoop.h"

namespace mlir::splyce {

/// The two-finger loops after the loop outside was unrolled.
struct UnrolledLoop {
  /// Those of two iterations, in order.
  std::array<scf::WhileOp, 2> pair;
  /// That of the last iteration of an odd number.
  scf::WhileOp rest;
};

/// Whether an iteration of the loop outside may begin before the last one ends:
/// all that it stores is the sum of the two-finger loop, and nothing but the
/// load of that sum reads there. If not, `reason` says what is in the way.
LogicalResult checkUnroll(const IntersectionLoop &loop, std::string &reason);

/// Unroll the loop outside by two, if that is legal; `loop` is the first of the
/// pair. What is in front of the sums' loads is in front of both.
UnrolledLoop unrollOuter(const IntersectionLoop &loop);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_UNROLLLOOP_H
