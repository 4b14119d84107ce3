"""Compare a kernel's output with the oracle's: rounding bound, and NaN only where it belongs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.files import key_of

_CHUNK = 1 << 22


def compare(
    found: npt.NDArray[Any], expected: npt.NDArray[Any], bound: npt.NDArray[Any]
) -> dict[str, Any]:
    """Compare element by element; returns {ok, message, worst} with worst = error / bound.

    An element passes when both are NaN, both are the same infinity, or the error is at most the
    bound. The test is written so that a NaN error fails.
    """
    if found.shape != expected.shape:
        message = f"output has shape {found.shape}, expected {expected.shape}"
        return {"ok": False, "message": message, "worst": None}
    parts = (found.reshape(-1), expected.reshape(-1), bound.reshape(-1))
    wrong, worst, first = 0, 0.0, -1
    for start in range(0, parts[0].size, _CHUNK):
        a, b = (np.asarray(part[start : start + _CHUNK]) for part in parts[:2])
        if np.array_equal(a, b):
            continue
        passed, share = _passes(a, b, np.asarray(parts[2][start : start + _CHUNK]))
        worst = max(worst, share)
        if not passed.all() and first < 0:
            first = start + int(np.argmin(passed))
        wrong += int(passed.size - np.count_nonzero(passed))
    if not wrong:
        return {"ok": True, "message": "", "worst": worst}
    where = tuple(int(i) for i in np.unravel_index(first, found.shape))
    message = (
        f"{wrong} of {parts[0].size} elements are wrong, the first at {where}: "
        f"found {parts[0][first]!r}, expected {parts[1][first]!r} within {parts[2][first]:.3g}"
    )
    return {"ok": False, "message": message, "worst": None}


def over_panels(checks: dict[int, Any]) -> dict[str, Any]:
    """Return one check for all panels: the last one, with the bits and errors of every panel."""
    answers = [checks[panel] for panel in sorted(checks)]
    worst = [answer["worst"] for answer in answers]
    sums = [answer["checksum"] for answer in answers]
    return {
        **answers[-1],
        "worst": None if None in worst else max(worst),
        "same_bits": all(answer["same_bits"] for answer in answers),
        "checksum": sums[0] if len(sums) == 1 else key_of(sums),
    }


def _passes(
    a: npt.NDArray[Any], b: npt.NDArray[Any], limit: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.bool_], float]:
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(a.astype(np.float64) - b)
        passed = (error <= limit) | (a == b) | (np.isnan(a) & np.isnan(b))
        share = np.where(limit > 0, error / np.where(limit > 0, limit, 1), 0)
    finite = share[np.isfinite(share)]
    return passed, float(finite.max()) if finite.size else 0.0
