"""Running as a step of the workflow: one-line errors, and no orphan when the driver dies."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

from splyce_bench.errors import UserError

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent dies (Linux only).

    Snakemake killed with SIGKILL leaves its jobs running; an orphan would go on
    measuring beside the next run. The parent is Snakemake itself because the
    rules start their command with `exec`.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit("the parent process has gone; stopping")


def ending(code: int) -> str:
    """Return how a process ended, in words; `code` is what `subprocess` gives."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def unasked_ending(code: int) -> str:
    """Return how a process ended that nobody of ours has stopped."""
    return f"{ending(code)}{', as when memory runs out' if code == -signal.SIGKILL else ''}"


def ends_with_parent() -> Callable[[], None]:
    """Return a `preexec_fn` under which a child is asked to end (SIGTERM) when its parent dies.

    For programs that clean up behind themselves: ninja stops its compilers and removes their
    half-written files. Linux only, like `die_with_parent`.
    """
    if sys.platform != "linux":
        return lambda: None
    # Loaded here: between fork and exec nothing may be imported.
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def run_cli(main: Callable[[], int | None]) -> None:
    """Run a command-line entry point; a UserError or a full disk ends it with one message."""
    # A cluster's scheduler terminates a job before it kills it: what it holds is cleaned up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        code = main()
    except UserError as error:
        raise SystemExit(f"error: {error}") from None
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise SystemExit(
            f"error: {error.strerror or error}{where}; "
            "free some space or fix the permissions, then give the same command again"
        ) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    raise SystemExit(code or 0)
