"""Benchmark harness for SIMD vectorization of sparse coiteration."""

__version__ = "0.1.0"
