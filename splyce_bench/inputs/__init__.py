"""Inputs: operands as folders of memory-mapped arrays, made once and never copied."""
