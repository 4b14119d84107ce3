"""Where kernels are called: in a thread that shares neither heap nor count with the interpreter."""

import os
import platform
import subprocess
import sys
import threading

import pytest

from splyce_bench.measure.host import threads_that_ran
from splyce_bench.measure.runtime import Runtime

MARK = 0xAB
# Words: where to count the bytes that are the interpreter's.
LOOKS = f"""
#include <stdint.h>
#include <stdlib.h>
void splyce_call(const int64_t *w) {{
  unsigned char *blocks[64];
  double *found = (double *)w[0];
  for (int n = 0; n < 64; ++n) {{
    blocks[n] = malloc(3000);
    for (int i = 0; i < 3000; ++i)
      *found += blocks[n][i] == {MARK};
  }}
  for (int n = 0; n < 64; ++n)
    free(blocks[n]);
}}
"""


# In a process of its own, as the worker is: a thread may get the heap of one that has ended.
MEASURES = """
import ctypes, sys
from pathlib import Path
import numpy as np
from splyce_bench.measure.calls import Call
from splyce_bench.measure.runtime import Runtime, load_kernel
kernel, output = load_kernel(Path(sys.argv[2])), np.zeros(1)
call = Call(np.array([output.ctypes.data], np.int64), output)
timer = Runtime(Path(sys.argv[1]))
marks = [bytearray([MARK]) * 3000 for _ in range(400)]
del marks[::2]
timer.sample(kernel, call, 1)
print(int(output[0]))
kernel(ctypes.c_void_p(call.words.ctypes.data))
print(int(output[0]))
""".replace("MARK", str(MARK))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a thread's own heap is glibc's")
def test_malloc_does_not_give_kernels_what_the_interpreter_left(runtime, tmp_path):
    """Pointers and small integers there are denormal numbers, and take a kernel twice as long."""
    (tmp_path / "looks.c").write_text(LOOKS)
    command = ["cc", "-O1", "-shared", "-fPIC", "looks.c", "-o", "looks.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    command = [sys.executable, "-c", MEASURES, str(runtime), str(tmp_path / "looks.so")]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert found[0] == "0"
    assert int(found[1]) > 1000, "called by the interpreter itself it finds them"


def test_the_thread_of_the_kernels_is_always_the_same(runtime):
    timer = Runtime(runtime)
    names = {timer.where_kernels_run(threading.get_native_id) for _ in range(5)}
    assert len(names) == 1
    assert names != {threading.main_thread().native_id}


def test_the_interpreters_thread_is_not_counted():
    assert threads_that_ran()["count"] == threads_that_ran(besides=os.getpid())["count"] + 1
