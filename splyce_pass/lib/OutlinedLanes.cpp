//===- OutlinedLanes.cpp - The lanes in a function of their own -----------===//

#include "OutlinedLanes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/// Move the buffers on the stack that only a branch uses into it: LLVM has to
/// see that they overlap nothing.
static void takeBuffers(Block *branch, func::FuncOp function) {
  SmallVector<memref::AllocaOp> buffers;
  function.walk([&](memref::AllocaOp buffer) {
    bool isOwn = llvm::all_of(buffer->getUsers(), [&](Operation *user) {
      return branch->findAncestorOpInBlock(*user);
    });
    if (isOwn && buffer->getOperands().empty())
      buffers.push_back(buffer);
  });
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
  takeBuffers(versions.thenBlock(), function);
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
