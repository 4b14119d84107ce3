"""Choose a provider, or try them in order, and write toolchain.json."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import write_json
from splyce_bench.toolchain import prefix, source, system, wheels
from splyce_bench.toolchain.model import Found, Request, UnsuitableError
from splyce_bench.toolchain.probe import describe

PROVIDERS: dict[str, Callable[[Request], Found]] = {
    "path": prefix.find,
    "system": system.find,
    "wheels": wheels.find,
    "source": source.find,
}


def resolve(request: Request) -> dict[str, Any]:
    """Return the description of the toolchain asked for.

    A provider that was named must suit. `auto` takes the first that suits, and otherwise tells of
    each one why it did not and what would make it.
    """
    names = list(PROVIDERS) if request.provider == "auto" else [request.provider]
    reasons = []
    for name in names:
        try:
            return describe(PROVIDERS[name](request))
        except UnsuitableError as error:
            reasons.append(f"{name}: {error.reason}; {error.advice}")
        except UserError as error:
            if request.provider != "auto":
                raise
            reasons.append(f"{name}: {error}")
        # Said at once: the next provider may take an hour, or be one the user did not mean.
        print(f"not {reasons[-1]}", flush=True)
    raise UserError("no toolchain fits\n" + "\n".join(f"  {reason}" for reason in reasons))


def write_toolchain(request: Request, out: Path) -> None:
    """Resolve and write toolchain.json."""
    description = resolve(request)
    write_json(out, description)
    print(f"LLVM/MLIR {description['version']} from {description['provider']}")
