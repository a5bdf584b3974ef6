"""JSON output, one object a line; apart from `tables.py`, so that --json does not load rich."""

import sys

import msgspec

from gossamer.cli.output.terminal_text import escape_json


def print_json(record: object) -> None:
    """Print one object and flush, so that the reader of a pipe gets it at once."""
    write_json_lines([msgspec.json.encode(record)])


def write_json_lines(lines: list[bytes]) -> None:
    """Write encoded objects, one a line, and flush; a terminal gets only characters that cannot steer it."""
    text = b"".join(line + b"\n" for line in lines).decode()
    sys.stdout.write(escape_json(text) if sys.stdout.isatty() else text)
    sys.stdout.flush()
