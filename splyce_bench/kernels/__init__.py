"""Kernels: tensor expressions in index notation, and the MLIR text made from them."""
