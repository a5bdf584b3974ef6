"""The console, plain tables, and the cleaning of text from the web for a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

# A pipe or a file has no width, and the default of 80 columns folds lines that a log should keep whole.
_WIDTH_WITHOUT_TERMINAL = 120

console = Console(highlight=False, soft_wrap=True)
if not console.is_terminal:
    console.width = _WIDTH_WITHOUT_TERMINAL


def clean_text(text: str, most: int = 80) -> str:
    """Return text from the web without control characters and markup, cut to `most` characters."""
    printable = "".join(char if char.isprintable() else " " for char in text[: 4 * most])
    shown = " ".join(printable.split())
    return escape(shown if len(shown) <= most else shown[: most - 1] + "…")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; columns of numbers are aligned to the right."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    rows = list(rows)
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    for at, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[at], int | float) for row in rows)
        shown.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        shown.add_row(*row)
    console.print(shown)
    console.print()
