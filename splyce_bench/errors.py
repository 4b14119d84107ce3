"""The one error type for mistakes a user can mend."""


class UserError(Exception):
    """Bad input, configuration or environment.

    The message says what is wrong and where (file:line), what was expected, and
    what to do next. `process.run_cli` prints it without a traceback.
    """
