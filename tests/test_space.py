"""How much memory may be used: the machine's, less what its control groups leave."""

import pytest

from splyce_bench.space import memory_bytes, usable_memory

GIB = 2**30


@pytest.mark.parametrize(
    ("groups", "files", "total"),
    [
        ("0::/\n", {}, 32),
        ("0::/\n", {"sys/fs/cgroup/memory.max": "max"}, 32),
        ("0::/\n", {"sys/fs/cgroup/memory.max": str(4 * GIB)}, 4),
        ("0::/user/job\n", {"sys/fs/cgroup/user/memory.max": str(2 * GIB)}, 2),
        ("3:memory:/job\n", {"sys/fs/cgroup/memory/job/memory.limit_in_bytes": str(GIB)}, 1),
        ("3:memory:/\n", {"sys/fs/cgroup/memory/memory.limit_in_bytes": str(2**63 - 4096)}, 32),
    ],
)
def test_the_smallest_limit_holds(tmp_path, groups, files, total):
    meminfo = f"MemTotal: {32 * 2**20} kB\nMemAvailable: {30 * 2**20} kB\n"
    for name, text in {"proc/meminfo": meminfo, "proc/self/cgroup": groups, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sys, proc = tmp_path / "sys", tmp_path / "proc"
    assert memory_bytes(sys, proc) == (total * GIB, min(total, 30) * GIB)
    assert usable_memory(sys, proc) == int(0.9 * total * GIB)
