"""What is said of a run beside which other processes computed."""

from collections.abc import Sequence

from splyce_bench.report.records import Record

# Processors; the workflow itself and a desktop stay below.
MUCH = 0.5


def others_lines(records: Sequence[Record]) -> list[str]:
    """Return a line where others used much of the machine during a group; none on a quiet one."""
    shares = [r["state"].get("others") or 0.0 for r in records if "state" in r]
    loud = [share for share in shares if share > MUCH]
    if not loud:
        return []
    return [
        f"Other processes used up to {max(loud):.1f} processors beside {len(loud)} of "
        f"{len(shares)} groups: short and memory-bound kernels may differ from a quiet run's by "
        "more than their intervals tell."
    ]
