"""The console that everything is printed on, plain tables, and lines with styles."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from gossamer.cli.output.terminal_text import clean_lines
from gossamer.cli.output.terminal_text import clean_text as clean_text

# A pipe or a file has no width, and the default of 80 columns folds lines that a log should keep whole.
_WIDTH_WITHOUT_TERMINAL = 120


class PlainConsole(Console):
    """A console that never reads a string as markup and never passes on its control characters.

    Titles, URLs and link texts come from strangers: `[/]` in a title ended the program, `[link=…]` became a link, and
    `ESC ]` could set the title of the window. Styles are given beside a text, never inside it (`print_line`).
    """

    def render_str(self, text: str, *, style: str | Style = "", **settings: Any) -> Text:
        """Return a string as the text that it is; lines, cells and titles of tables all come through here."""
        return Text(
            clean_lines(text),
            style,
            justify=settings.get("justify"),
            overflow=settings.get("overflow"),
        )


console = PlainConsole(highlight=False, soft_wrap=True)
if not console.is_terminal:
    console.width = _WIDTH_WITHOUT_TERMINAL


def style_line(*parts: str | tuple[str, str]) -> Text:
    """Return one line of texts, each plain or with its style, as in `style_line("1. ", (title, "bold"))`."""
    line = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        line.append(clean_lines(text), style or None)
    return line


def print_line(*parts: str | tuple[str, str]) -> None:
    """Print one line of texts, each plain or with its style; nothing in them is read as markup."""
    console.print(style_line(*parts))


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
