//===- BodyAnalysis.h - What runs on equal coordinates ----------*- C++ -*-===//

#ifndef SPLYCE_LIB_BODYANALYSIS_H
#define SPLYCE_LIB_BODYANALYSIS_H

#include "Splyce/IntersectionLoop.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::splyce {

/// The buffer that a view was taken from.
Value getRoot(Value buffer);

/// Fill in `body`, `store` and `speculatable` of a loop whose `updates` and
/// `matchedBlock` are known; on failure `reason` says what is in the way.
LogicalResult analyzeBody(IntersectionLoop &loop, std::string &reason);

/// Whether an operation computes one scalar from scalars, without a cursor and
/// without an effect: it can run for any pair, and has a form on vectors.
bool isScalarOp(Operation *op, const IntersectionLoop &loop);

/// The operations of the body that depend on an accumulator.
llvm::SmallPtrSet<Operation *, 8>
findAccumulatorUsers(const IntersectionLoop &loop);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_BODYANALYSIS_H
