"""Counters: what the processor did during a kernel call, measured by perf or simulated."""
