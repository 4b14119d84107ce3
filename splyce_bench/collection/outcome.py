"""Why a matrix cannot be had: the outcome of a cell, with its reason."""


class UnobtainableError(Exception):
    """A matrix cannot be had; the rest of a run goes on without it.

    `outcome` is `absent` (no network, no such file), `too_large` (no room) or `failed` (what was
    found is not the matrix: damaged, or of another checksum).
    """

    def __init__(self, outcome: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason
