"""Measure: call the kernels of a group in turn on the same input, check and time them."""
