"""The libraries that a user would call instead of compiling: what they are, whether they are here.

It imports nothing heavy, because every plan asks it; `library_calls.py` has the calls.
"""

from importlib.metadata import PackageNotFoundError, version

from splyce_bench.kernels.as_published import is_as_published
from splyce_bench.kernels.catalog import Kernel

# Python packages of each library: the first is what a user installs, the others do the work.
PACKAGES = {
    "scipy": ("scipy",),
    "mkl": ("sparse_dot_mkl", "mkl"),
    "graphblas": ("python-graphblas", "suitesparse-graphblas"),
}
# The kernels that are one product of two sparse operands.
CALLED = ("spgemm", "spmspv")


def library_state(library: str) -> dict[str, str]:
    """Return the library and the versions of its packages, empty where the first is missing."""
    found = {package: _version(package) for package in PACKAGES[library]}
    told = ", ".join(f"{package} {number}" for package, number in found.items() if number)
    return {"library": library, "versions": told if found[PACKAGES[library][0]] else ""}


def why_not_called(state: dict[str, str], kernel: Kernel, panels: int) -> str:
    """Say why a library cannot be measured on a kernel here, or return ''."""
    library = state["library"]
    if kernel.name not in CALLED:
        return f"{library} has no call for {kernel.name}, only products of two operands"
    if not is_as_published(kernel):
        return f"the call is written for the expression and formats of the paper's {kernel.name}"
    if not state["versions"]:
        package = PACKAGES[library][0]
        return f"{package} is not installed (pip install {' '.join(PACKAGES[library])})"
    if panels > 1:
        return f"the output fits into the memory only in {panels} panels of rows"
    return ""


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
