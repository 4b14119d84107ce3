//===- CallInterface.cpp - What a call of a kernel costs ------------------===//

#include "CallInterface.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

void mlir::splyce::inlineIntoInterface(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName()))
    return;
  Builder b(op->getContext());
  Attribute inlined = b.getStringAttr("alwaysinline");
  SmallVector<Attribute> passed;
  if (auto list = function->getAttrOfType<ArrayAttr>("passthrough"))
    llvm::append_range(passed, list);
  if (!llvm::is_contained(passed, inlined))
    passed.push_back(inlined);
  function->setAttr("passthrough", b.getArrayAttr(passed));
}
