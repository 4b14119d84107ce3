"""Names of the built-in matrices, apart from their making so that a plan need not import numpy."""

BUILTIN_NAMES = ("JGD_Trefethen/Trefethen_300", "Mycielski/mycielskian11")
