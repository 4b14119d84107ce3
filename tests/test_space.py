"""What memory there is for this process, on made-up trees of /sys and /proc."""

import pytest

from splyce_bench.space import USABLE_SHARE, usable_memory


@pytest.mark.parametrize(
    ("cgroup", "files"),
    [
        ("0::/\n", {"memory.max": "1000"}),
        # A job of SLURM: the step's own group has no limit, the job's has one.
        (
            "0::/system.slice/slurmstepd.scope/job_7/step_0\n",
            {
                "system.slice/slurmstepd.scope/job_7/memory.max": "1000",
                "system.slice/slurmstepd.scope/job_7/step_0/memory.max": "max",
            },
        ),
        # The same with control groups of version 1.
        (
            "4:memory:/slurm/uid_0/job_7/step_0\n0::/\n",
            {
                "memory/memory.limit_in_bytes": "9223372036854771712",
                "memory/slurm/uid_0/job_7/memory.limit_in_bytes": "1000",
            },
        ),
    ],
)
def test_the_least_limit_around_a_process_counts(tmp_path, cgroup, files):
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(cgroup)
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    assert usable_memory(tmp_path / "sys", tmp_path / "proc") == int(USABLE_SHARE * 1000)


def test_without_limits_it_is_the_machines(tmp_path):
    assert usable_memory(tmp_path, tmp_path) > 2**20
