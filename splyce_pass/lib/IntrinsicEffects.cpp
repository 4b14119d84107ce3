//===- IntrinsicEffects.cpp - Which intrinsics have no effect -------------===//

#include "IntrinsicEffects.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::splyce;

namespace {

struct IntrinsicEffects
    : public MemoryEffectOpInterface::ExternalModel<IntrinsicEffects,
                                                    LLVM::CallIntrinsicOp> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    StringRef name = cast<LLVM::CallIntrinsicOp>(op).getIntrin();
    if (name.starts_with("llvm.x86.avx512.vp2intersect.") ||
        name == "llvm.experimental.vector.compress")
      return;
    // Another intrinsic may do anything, as before.
    auto *stack = SideEffects::AutomaticAllocationScopeResource::get();
    for (OpResult result : op->getOpResults())
      effects.emplace_back(MemoryEffects::Allocate::get(), result, stack);
    effects.emplace_back(MemoryEffects::Free::get());
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};

} // namespace

void mlir::splyce::registerIntrinsicEffects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *) {
    LLVM::CallIntrinsicOp::attachInterface<IntrinsicEffects>(*context);
  });
}
