//===- OutlinedLanes.cpp - The lanes in a function of their own -----------===//

#include "OutlinedLanes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// Arrays of the scalar loops with which they are moved out as well: beside the
/// cursors more do not fit into 16 registers, and which of them LLVM then keeps
/// there depends on what else is in the function. The call takes longer than
/// that costs a kernel with fewer.
static constexpr unsigned kManyArrays = 10;

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

/// A name that no other function has.
static std::string findName(func::FuncOp function, StringRef suffix) {
  Operation *table =
      SymbolTable::getNearestSymbolTable(function->getParentOp());
  std::string first = (function.getSymName() + suffix).str(), name = first;
  for (unsigned i = 2; SymbolTable::lookupSymbolIn(table, name); ++i)
    name = first + std::to_string(i);
  return name;
}

/// Move a branch into a function that LLVM does not inline.
static void outline(Region &branch, func::FuncOp function, StringRef suffix) {
  IRRewriter rewriter(branch.getParentOp());
  FailureOr<func::FuncOp> moved = outlineSingleBlockRegion(
      rewriter, branch.getLoc(), branch, findName(function, suffix));
  assert(succeeded(moved) && "a branch of scf.if is one block");
  moved->setPrivate();
  (*moved)->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(branch.getContext(), LLVM::Linkage::Internal));
  (*moved)->setAttr("passthrough",
                    rewriter.getArrayAttr(rewriter.getStringAttr("noinline")));
  copyTarget(function, *moved);
}

/// How many arrays that are made outside of a branch it uses.
static unsigned countArrays(Region &branch) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(branch, used);
  return llvm::count_if(
      used, [](Value value) { return isa<MemRefType>(value.getType()); });
}

void mlir::splyce::outlineLanes(scf::IfOp versions, Operation *scope) {
  auto function = versions->getParentOfType<func::FuncOp>();
  if (!function || !scope->isProperAncestor(function))
    return;
  takeBuffers(versions);
  outline(versions.getThenRegion(), function, "_lanes");
  if (countArrays(versions.getElseRegion()) > kManyArrays)
    outline(versions.getElseRegion(), function, "_scalar");
}
