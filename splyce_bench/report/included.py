"""Put a generated file into a page: what stands between `<!-- include PATH -->` and `<!-- end -->`.

python -m splyce_bench.report.included docs/predicting-regressions.md
"""

import re
import sys
from pathlib import Path

from splyce_bench.configuration import ROOT
from splyce_bench.errors import UserError
from splyce_bench.files import write_text
from splyce_bench.process import run_cli

BLOCK = re.compile(r"(<!-- include (\S+) -->\n).*?(<!-- end -->)", re.S)


def filled(page: Path) -> str:
    """Return a page with its blocks made anew; paths are those of the clone."""

    def block(found: re.Match[str]) -> str:
        path = ROOT / found[2]
        if not path.is_file():
            raise UserError(f"{page}: include {found[2]}: no such file in {ROOT}; make it first")
        return f"{found[1]}\n{path.read_text(encoding='utf-8')}\n{found[3]}"

    return BLOCK.sub(block, page.read_text(encoding="utf-8"))


def main() -> None:
    """Fill the pages that are named."""
    for name in sys.argv[1:]:
        write_text(Path(name), filled(Path(name)))


if __name__ == "__main__":
    run_cli(main)
