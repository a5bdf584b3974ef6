"""How results are shown to people: one console, plain tables, hostile text made harmless."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

# A pipe or a file has no width of its own, and 80 columns fold what a reader of logs wants on one line.
_WIDTH_ELSEWHERE = 120

console = Console(highlight=False, soft_wrap=True)
if not console.is_terminal:
    console.width = _WIDTH_ELSEWHERE


def clean_text(text: str, most: int = 80) -> str:
    """Make text from the web fit for a terminal: no control characters, no markup, not too long."""
    printable = "".join(char if char.isprintable() else " " for char in text[: 4 * most])
    shown = " ".join(printable.split())
    return escape(shown if len(shown) <= most else shown[: most - 1] + "…")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; numbers stand to the right."""
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
