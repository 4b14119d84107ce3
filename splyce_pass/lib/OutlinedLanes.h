//===- OutlinedLanes.h - The lanes in a function of their own ---*- C++ -*-===//

#ifndef SPLYCE_LIB_OUTLINEDLANES_H
#define SPLYCE_LIB_OUTLINEDLANES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::splyce {

/// Move the first branch of `versions`, which holds the lanes, into a private
/// function that LLVM does not inline: the scalar loops of the other branch
/// then get the registers that they get without the pass, and a small call does
/// not set up the frame of the lanes. Scalar loops over many arrays get a
/// function too. Nothing is done unless the function around `versions` lies in
/// `scope`, which gets the new ones.
void outlineLanes(scf::IfOp versions, Operation *scope);

} // namespace mlir::splyce

#endif // SPLYCE_LIB_OUTLINEDLANES_H
