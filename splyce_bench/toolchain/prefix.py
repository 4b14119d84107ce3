"""Provider `path`: an install prefix, or a build tree, that the user names."""

from splyce_bench.toolchain.model import Found, Request, UnsuitableError, check_complete


def find(request: Request) -> Found:
    """Return the toolchain in the configured prefix."""
    if request.prefix is None:
        raise UnsuitableError(
            "no prefix is configured", "set toolchain.prefix to the folder with bin/ and lib/"
        )
    prefix = request.prefix.expanduser().resolve()
    if not prefix.is_dir():
        raise UnsuitableError(f"{prefix} is not a folder", "correct toolchain.prefix")
    advice = "build the missing parts of LLVM with MLIR (ninja install), or name another prefix"
    return check_complete(Found("path", prefix, prefix), advice)
