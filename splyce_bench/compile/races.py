"""A parallel loop over a summed index: its threads would add into the same elements."""

import re
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.kernels.catalog import Kernel

_PARALLEL = re.compile(r"scf\.parallel \((%\w+)\)")
_STORE = re.compile(r"memref\.store [^,]+, %\w+\[([^\]]*)\]")


def check_races(kernel: Kernel, loops: Path) -> None:
    """Refuse loops whose stores do not depend on the parallel one.

    The sparsifier makes the outermost dense loop parallel without asking whether it is a
    reduction, and it may choose another order of loops than the kernel's.
    """
    text = loops.read_text(encoding="utf-8")
    for variable in _PARALLEL.findall(text):
        for indices in _STORE.findall(text):
            if variable not in indices.split(", "):
                raise UserError(
                    f"kernel {kernel.name}: the loop that the sparsifier made parallel is over a "
                    f"summed index of '{kernel.expression}', so threads would add into the same "
                    f"elements (see {loops}); measure this kernel on one core, or give it "
                    "formats with an index of the output outermost"
                )
