"""Text from the web as one printable line, and amounts with their units: for terminals, sentences and pages."""


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


def format_bytes(number: float) -> str:
    """Return a number of bytes with a unit: 999 B, 1.5 kB, 250 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def format_duration(seconds: float) -> str:
    """Return a duration: 0:42, 1:02:03."""
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
