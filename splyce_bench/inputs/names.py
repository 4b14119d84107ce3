"""Names of inputs, apart from their making so that a plan need not import numpy."""

BUILTIN_NAMES = ("JGD_Trefethen/Trefethen_300", "Mycielski/mycielskian11")
FILE_SUFFIXES = (".mtx", ".rb", ".tns")


def file_suffix(name: str) -> str | None:
    """Return which of FILE_SUFFIXES a file name ends in, before .gz; None for another."""
    plain = name.lower().removesuffix(".gz")
    return next((suffix for suffix in FILE_SUFFIXES if plain.endswith(suffix)), None)


def file_rank(name: str) -> int | None:
    """Return the number of dimensions that a file's suffix tells; None where it has to be read."""
    return None if file_suffix(name) == ".tns" else 2
