//===- IntrinsicEffects.h - Which intrinsics have no effect -----*- C++ -*-===//

#ifndef SPLYCE_LIB_INTRINSICEFFECTS_H
#define SPLYCE_LIB_INTRINSICEFFECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::splyce {

/// Tell MLIR that the intrinsics that the pass calls have no memory effects.
/// `llvm.call_intrinsic` states none for any, and what states none is taken for
/// a stack allocation: `convert-scf-to-openmp` then leaves a scope around the
/// body of a parallel loop that does not lower.
void registerIntrinsicEffects(DialectRegistry &registry);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_INTRINSICEFFECTS_H
