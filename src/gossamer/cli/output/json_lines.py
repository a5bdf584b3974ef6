"""JSON output, one object a line; apart from `tables.py`, so that --json does not load rich."""

import msgspec


def print_json(record: object) -> None:
    """Print one object and flush, so that the reader of a pipe gets it at once."""
    print(msgspec.json.encode(record).decode(), flush=True)  # noqa: T201 - output of the program
