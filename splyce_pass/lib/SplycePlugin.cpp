//===- SplycePlugin.cpp - The passes for a stock mlir-opt -----------------===//

#include "Splyce/Passes.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

/// The entry point that `--load-pass-plugin` looks for. It is exported whatever
/// visibility the build has by default.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT
    LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Splyce", LLVM_VERSION_STRING,
          [] { mlir::splyce::registerSplycePasses(); }};
}
