//===- CallInterface.h - What a call of a kernel costs ----------*- C++ -*-===//

#ifndef SPLYCE_LIB_CALLINTERFACE_H
#define SPLYCE_LIB_CALLINTERFACE_H

#include "mlir/IR/Operation.h"

namespace mlir::splyce {

/// Have LLVM inline the function around an operation into its C interface, if
/// it has one. That hands dozens of words on, and LLVM inlines only a small
/// function by itself: a small kernel takes hardly longer than the copies.
void inlineIntoInterface(Operation *op);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_CALLINTERFACE_H
