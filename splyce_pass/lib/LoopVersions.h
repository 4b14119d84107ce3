//===- LoopVersions.h - A loop twice, one of them to run --------*- C++ -*-===//

#ifndef SPLYCE_LIB_LOOPVERSIONS_H
#define SPLYCE_LIB_LOOPVERSIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::splyce {

/// Put a loop under a test, and a copy of it under the contrary; return what an
/// operation in it is in the copy.
Operation *buildVersions(Operation *outside, Value condition,
                         Operation *inside);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_LOOPVERSIONS_H
