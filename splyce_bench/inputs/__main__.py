"""Command of the input stage: `python -m splyce_bench.inputs --spec JSON --out FOLDER`."""

import argparse
import json
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json
from splyce_bench.inputs.recipe import build_input
from splyce_bench.process import die_with_parent, run_cli


def main() -> None:
    """Make the operands of one kernel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", required=True, help="operands with recipe and format, as JSON")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    die_with_parent()
    build_input(json.loads(options.spec), options.out)
    for name, meta in read_json(options.out / "meta.json")["operands"].items():
        shape = " x ".join(map(str, meta["shape"]))
        print(
            f"{name}: {shape}, {meta['stored']} stored ({meta['density_pct']:.4g} %){_notes(meta)}"
        )


def _notes(meta: dict[str, Any]) -> str:
    """Say what was changed on the way, and which values are out of the ordinary."""
    zeros = "kept" if meta.get("explicit_zeros_kept") else "dropped"
    words = {
        "duplicates_summed": "duplicates summed",
        "explicit_zeros": f"explicit zeros {zeros}",
        "nan": "NaN",
        "infinite": "Inf",
        "denormal": "denormal values, which can be slow",
    }
    return "".join(f"; {meta[key]} {text}" for key, text in words.items() if meta.get(key))


if __name__ == "__main__":
    run_cli(main)
