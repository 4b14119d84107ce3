//===- LoopVersions.cpp - A loop twice, one of them to run ----------------===//

#include "LoopVersions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

Operation *mlir::splyce::buildVersions(Operation *outside, Value condition,
                                       Operation *inside) {
  ImplicitLocOpBuilder b(outside->getLoc(), outside);
  IRMapping mapping;
  Operation *copy = outside->clone(mapping);
  auto versions = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, outside->getResults());
      },
      [&](OpBuilder &, Location) {
        b.insert(copy);
        scf::YieldOp::create(b, copy->getResults());
      });
  Operation *yield = versions.thenBlock()->getTerminator();
  for (auto [result, version] :
       llvm::zip(outside->getResults(), versions.getResults()))
    result.replaceAllUsesExcept(version, yield);
  outside->moveBefore(yield);
  return mapping.lookup(inside);
}
