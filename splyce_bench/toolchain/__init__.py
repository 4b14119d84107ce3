"""Toolchain: find or make an LLVM/MLIR, and build our pass with it."""
