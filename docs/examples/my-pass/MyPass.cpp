//===- MyPass.cpp - The smallest pass of one's own ------------------------===//
//
// Lets the additions and multiplications of the sparsifier's two-finger loops
// fuse. The worked example of docs/your-pass.md.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {
struct AllowFma : PassWrapper<AllowFma, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllowFma)

  AllowFma() = default;
  AllowFma(const AllowFma &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "allow-fma"; }
  StringRef getDescription() const override {
    return "Let the arithmetic of two-finger loops fuse";
  }

  Option<bool> reassociate{
      *this, "reassociate", llvm::cl::init(false),
      llvm::cl::desc("Let additions change their order, too")};

  void runOnOperation() override {
    auto flags = arith::FastMathFlags::contract;
    if (reassociate)
      flags = flags | arith::FastMathFlags::reassoc;
    getOperation().walk([&](scf::WhileOp loop) {
      loop.walk([&](arith::AddFOp add) { add.setFastmath(flags); });
      loop.walk([&](arith::MulFOp mul) { mul.setFastmath(flags); });
      // One remark a loop: the harness counts them, against `rewrites`.
      loop.emitRemark("arithmetic may fuse");
    });
  }
};
} // namespace

/// The entry point that `--load-pass-plugin` looks for.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT
    LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MyPass", "1",
          [] { PassRegistration<AllowFma>(); }};
}
