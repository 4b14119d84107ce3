"""A tiny measurable group: dot products by kernels in C, so that they can misbehave."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splyce_bench.formats import NAMED_FORMATS
from splyce_bench.inputs.recipe import build_input
from splyce_bench.measure.runtime import build_runtime
from splyce_bench.measure.task import Task

ENTRY = {
    "name": "dot",
    "description": "dot products",
    "expression": "y[i] = B[i,j] * x[j]",
    "formats": {"B": "csr", "x": "sparse_vector"},
}
SETTINGS = {
    "confidence": 0.95,
    "interval_width": 0.5,
    "processes": 1,
    "min_repetitions": 6,
    "max_repetitions": 8,
    "max_seconds": 5,
    "min_sample_ms": 0.1,
    "timeout_seconds": 2,
    "control_max_call_seconds": None,
    "cpus": None,
}

# Words: result; B: positions, coordinates, values, 2 sizes, 3 lengths; x: the same, 1 size; y.
GOOD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ARRAY(type, word) ((type *)((const int64_t *)(word))[1])
void splyce_call(const int64_t *w) {
  const int64_t *pos = ARRAY(int64_t, w[1]), *crd = ARRAY(int64_t, w[2]);
  const double *val = ARRAY(double, w[3]);
  const int64_t *xcrd = ARRAY(int64_t, w[10]);
  const double *xval = ARRAY(double, w[11]);
  int64_t rows = w[4], xn = w[14];
  double *y = ARRAY(double, w[16]);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t p = pos[i], q = 0; p < pos[i + 1] && q < xn;) {
      if (crd[p] == xcrd[q]) y[i] += val[p++] * xval[q++];
      else if (crd[p] < xcrd[q]) ++p;
      else ++q;
    }
  EXTRA
}
"""


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runtime") / "runtime.so"
    build_runtime(path)
    return path


@pytest.fixture(scope="session")
def dot_input(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("input") / "dot"
    vector = NAMED_FORMATS["sparse_vector"].to_json()
    recipe = {"source": "synthetic", "density_pct": 20.0}
    operands = {
        "B": {
            "recipe": {**recipe, "shape": [40, 500], "seed": 1},
            "format": NAMED_FORMATS["csr"].to_json(),
        },
        "x": {"recipe": {**recipe, "shape": [500], "seed": 2}, "format": vector},
    }
    build_input({"operands": operands}, folder)
    return folder


@pytest.fixture
def group_of(tmp_path: Path, runtime: Path, dot_input: Path):
    """Make a task whose pipelines are the good kernel with a line of C added to each."""

    def make(extra: dict[str, str], **changes: Any) -> Task:
        pipelines = {}
        for name, line in extra.items():
            pipelines[name] = compile_fake(tmp_path / name, line)
        toolchain = tmp_path / "toolchain.json"
        toolchain.write_text(json.dumps({"version": "none"}))
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        fields: dict[str, Any] = {
            "experiment": "test",
            "group": "dot/d20/c1",
            "kernel": ENTRY,
            "pipelines": pipelines,
            "baseline": "baseline",
            "control": "baseline-again",
            "input": dot_input,
            "input_label": {"id": "d20", "label": "20 %", "density_pct": 20, "matrix": None},
            "cores": 1,
            "threads": 1,
            "seed": 1,
            "settings": SETTINGS,
            "toolchain": toolchain,
            "runtime": runtime,
            "scratch": scratch,
        }
        return Task(**{**fields, **changes})

    return make


def compile_fake(folder: Path, line: str, features: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    source = folder / "fake.c"
    source.write_text(GOOD.replace("EXTRA", line))
    command = ["cc", "-O1", "-shared", "-fPIC", str(source), "-o", str(folder / "kernel.so")]
    subprocess.run(command, check=True)
    record = {"pipeline": {"features": features}, "object": {}, "rewritten": 0}
    (folder / "kernel.json").write_text(json.dumps(record))
    return folder


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)
