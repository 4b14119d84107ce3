//===- OutlinedLanes.cpp - The lanes in a function of their own -----------===//

#include "OutlinedLanes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/// Move the buffers on the stack that stand in front of a branch and that only
/// it uses into it: LLVM has to see that they overlap nothing. Those that are
/// made once for several runs of the branch stay.
static void takeBuffers(scf::IfOp versions) {
  Block *branch = versions.thenBlock();
  auto isInside = [&](Operation *user) {
    return branch->findAncestorOpInBlock(*user) != nullptr;
  };
  SmallVector<memref::AllocaOp> buffers;
  for (auto buffer : versions->getBlock()->getOps<memref::AllocaOp>())
    if (llvm::all_of(buffer->getUsers(), isInside))
      buffers.push_back(buffer);
  for (memref::AllocaOp buffer : llvm::reverse(buffers))
    buffer->moveBefore(&branch->front());
}

/// Give a function what says for which processor the other's code is.
static void copyTarget(func::FuncOp from, func::FuncOp to) {
  for (StringRef name : {"target_cpu", "target_features", "tune_cpu"})
    if (Attribute target = from->getAttr(name))
      to->setAttr(name, target);
}

/// A name for the lanes of a function that no other has.
static std::string findName(func::FuncOp function) {
  Operation *table =
      SymbolTable::getNearestSymbolTable(function->getParentOp());
  std::string first = (function.getSymName() + "_lanes").str(), name = first;
  for (unsigned i = 2; SymbolTable::lookupSymbolIn(table, name); ++i)
    name = first + std::to_string(i);
  return name;
}

void mlir::splyce::outlineLanes(scf::IfOp versions, Operation *scope) {
  auto function = versions->getParentOfType<func::FuncOp>();
  if (!function || !scope->isProperAncestor(function))
    return;
  takeBuffers(versions);
  IRRewriter rewriter(versions);
  FailureOr<func::FuncOp> lanes =
      outlineSingleBlockRegion(rewriter, versions.getLoc(),
                               versions.getThenRegion(), findName(function));
  assert(succeeded(lanes) && "a branch of scf.if is one block");
  lanes->setPrivate();
  (*lanes)->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(versions.getContext(), LLVM::Linkage::Internal));
  (*lanes)->setAttr("passthrough",
                    rewriter.getArrayAttr(rewriter.getStringAttr("noinline")));
  copyTarget(function, *lanes);
}
