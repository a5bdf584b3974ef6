"""Text from the web, made harmless for a terminal.

No character of it can move the cursor, hide text or open a link. Apart from `tables.py`, so that errors and --json do not load rich.
"""

import sys


def clean_lines(text: str) -> str:
    """Replace every character that is not printable by a space, except line ends.

    That includes escape sequences in both forms (ESC [ and U+009B), marks that reverse the direction of text, and
    halves of characters, which cannot be written at all.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def clean_text(text: str, most: int = 80) -> str:
    """Return text from the web on one line, without control characters, cut to `most` characters."""
    shown = " ".join(clean_lines(text[: 4 * most]).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def quote_text(text: str, most: int = 80) -> str:
    """Return cleaned text in quotation marks, to be shown within a sentence."""
    shown = clean_text(text, most)
    return f'"{shown}"' if "'" in shown else f"'{shown}'"


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
