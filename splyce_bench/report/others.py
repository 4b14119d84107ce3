"""What is said of a run beside which other processes computed, and which groups they crowded."""

from collections.abc import Sequence

from splyce_bench.report.records import Record

# Processors; the workflow itself and a desktop stay below.
MUCH = 0.5


def others_of(record: Record) -> float:
    """Return how many processors others used beside a group; 0 where the system did not say."""
    return float(record.get("state", {}).get("others") or 0.0)


def crowded(record: Record) -> str:
    """Say what others used where the group and they wanted more processors than there are; or ''.

    Its threads then waited for others: its times are not those of so many cores.
    """
    used, processors = others_of(record), record["host"]["logical_cpus"]
    if record["cores"] + used <= processors + MUCH:
        return ""
    return f"others used {used:.1f} of {processors} processors beside it"


def others_lines(records: Sequence[Record]) -> list[str]:
    """Return a line where others used much of the machine during a group; none on a quiet one."""
    watched = [record for record in records if "state" in record]
    loud = [record for record in watched if others_of(record) > MUCH]
    if not loud:
        return []
    line = (
        f"Other processes used up to {max(map(others_of, loud)):.1f} processors beside "
        f"{len(loud)} of {len(watched)} groups"
    )
    if full := [record for record in loud if crowded(record)]:
        line += (
            f"; {len(full)} of these wanted more processors than were left: what rests on their "
            "cores is undecided, and `compare` does not hold their ratios against another run"
        )
    return [f"{line}."]
