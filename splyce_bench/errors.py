"""The one error type for mistakes a user can mend."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Bad input, configuration or environment.

    The message says what is wrong and where (file:line), what was expected, and
    what to do next. `process.run_cli` prints it without a traceback.
    """


def known(name: str, table: Iterable[str], where: str, kind: str) -> str:
    """Return the name if the table has it; otherwise UserError with the nearest spelling."""
    names = list(table)
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UserError(f"{where}: unknown {kind} '{name}'; {hint}known: {', '.join(names)}")
