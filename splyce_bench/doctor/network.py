"""The way to the SuiteSparse collection."""

from splyce_bench.doctor.finding import Finding

SECONDS = 5
WHY = "matrices of the SuiteSparse collection are fetched from it"


def collection(address: str, needed: bool) -> Finding:
    """Ask the collection, or its mirror, for its first page."""
    # 0.1 s to import, which the look before a run need not pay.
    import requests

    try:
        answer = requests.head(address, timeout=SECONDS, allow_redirects=True)
        answer.raise_for_status()
    except requests.RequestException as error:
        reason = type(error).__name__
        found = f"{address} does not answer ({reason})"
        if not needed:
            return Finding("ok", "network", found, "this target does not need the collection")
        advice = (
            "the proxy's settings (HTTPS_PROXY), or a mirror; matrices not had are absent cells"
        )
        return Finding("warning", "network", found, WHY, advice)
    seconds = answer.elapsed.total_seconds()
    return Finding("ok", "network", f"{address} answers in {seconds:.2f} s", WHY)
