# ruff: noqa: T201
"""The arguments of the other examples: a start page, and the directory for the results."""

import sys


def read_arguments() -> tuple[str, str]:
    """Return the start page and the directory, or say how the example is used and end with exit code 2."""
    if len(sys.argv) == 3:
        return sys.argv[1], sys.argv[2]
    program = f"python {sys.argv[0]}"
    print(
        f"usage: {program} URL WEB, for example {program} https://www.example.org/ example.web",
        file=sys.stderr,
    )
    sys.exit(2)
