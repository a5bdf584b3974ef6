"""Text from the web, made harmless for a terminal.

No character of it can move the cursor, hide text or open a link. Apart from `tables.py`, so that errors and --json do not load rich.
"""

import sys

from gossamer.printable_text import clean_lines as clean_lines
from gossamer.printable_text import clean_text as clean_text
from gossamer.printable_text import quote_text as quote_text


def print_error(sentence: str) -> None:
    """Print a sentence on one line of standard error, after the name of the program."""
    one_line = " ".join(clean_lines(sentence).split())
    print(f"gossamer: {one_line}", file=sys.stderr)  # noqa: T201 - output of the program


def escape_json(text: str) -> str:
    """Return JSON with the same meaning in which no character can steer a terminal: JSON leaves U+007F to U+009F as they are."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
