"""How much of the machine other processes used while a group was measured."""

import os
import resource
import time
from pathlib import Path

from splyce_bench.measure.host import PROC, read


class OthersWatch:
    """Watches from its making on; this process and the children it has waited for do not count."""

    def __init__(self, proc: Path = PROC) -> None:
        self.proc = proc
        self.begun = time.monotonic(), *self._used_s()

    def processors(self) -> float | None:
        """Return how many processors others used on average; None where the system does not say."""
        begun, busy, own = self.begun
        elapsed = time.monotonic() - begun
        now_busy, now_own = self._used_s()
        if elapsed <= 0 or not now_busy:
            return None
        return max(0.0, ((now_busy - busy) - (now_own - own)) / elapsed)

    def _used_s(self) -> tuple[float, float]:
        """Return the processor seconds of the whole machine and of this process so far."""
        fields = read(self.proc / "stat").partition("\n")[0].split()
        # user, nice, system, idle, iowait, irq, softirq
        counts = [int(field) for field in fields[1:8]] if fields[0] == "cpu" else [0] * 7
        busy = (sum(counts) - counts[3] - counts[4]) / os.sysconf("SC_CLK_TCK")
        usage = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return busy, sum(u.ru_utime + u.ru_stime for u in usage)
