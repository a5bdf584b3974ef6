"""The result of an analysis: tables whose cells may name pages, facts for programs, and a plot."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from gossamer.printable_text import clean_text

if TYPE_CHECKING:  # imported when something is drawn
    from gossamer.plots.canvas import Figure

_NAME_CHARS, _TITLE_CHARS = 80, 40
_LIST_NAME_CHARS = 90
_MEMBERS_SHOWN = 5


class PageCell(msgspec.Struct, frozen=True, tag="page"):
    """A cell that names a page, host or site."""

    name: str
    """In full, as it is in the graph: a page's URL."""

    def __str__(self) -> str:
        return clean_text(self.name, _NAME_CHARS)


class ListedPage(msgspec.Struct, frozen=True):
    """A page in a cell that lists several."""

    name: str
    title: str = ""

    def __str__(self) -> str:
        name, title = clean_text(self.name, _LIST_NAME_CHARS), clean_text(self.title, _TITLE_CHARS)
        return f"{name} · {title}" if title else name


class PageListCell(msgspec.Struct, frozen=True, tag="pages"):
    """A cell that lists the first pages of a group, one a line, and says how many more there are."""

    pages: tuple[ListedPage, ...]
    more: int = 0

    def __str__(self) -> str:
        return "\n".join([*map(str, self.pages), *([f"… and {self.more:,} more"] if self.more else [])])

    def keep_first(self, most: int) -> "PageListCell":
        """Return the cell with at most this many pages; one more line would not be worth a sentence."""
        if len(self.pages) + bool(self.more) <= most + 1:
            return self
        return PageListCell(self.pages[:most], self.more + len(self.pages) - most)


class ResultTable(msgspec.Struct, frozen=True):
    """A table on the terminal, in an HTML report or on a page."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class Analysis(msgspec.Struct, frozen=True):
    """The result of an analysis, in every form in which it can be shown."""

    facts: dict[str, Any]
    """The object that --json prints."""
    tables: Sequence[ResultTable]
    """The tables that are printed otherwise."""
    columns: Callable[[], Mapping[str, Sequence[Any]]]
    """Returns the whole result as columns, for --out."""
    notes: Sequence[str] = ()
    """Sentences printed below the tables."""
    plot: "Callable[[], Figure] | None" = None
    """Draws the result, for --plot."""


def list_members(members: Sequence[Mapping[str, str]], with_titles: bool = True) -> PageListCell:
    """Return a cell with the first members of a group, given by name and title."""
    shown = [ListedPage(one["name"], one["title"] if with_titles else "") for one in members[:_MEMBERS_SHOWN]]
    return PageListCell(tuple(shown), len(members) - len(shown))


def flatten_tables(tables: Sequence[ResultTable]) -> dict[str, list[str]]:
    """Turn tables into one long table for --out: table, row, column, value."""
    cells = [
        (table.title, str(row[0]), column, str(cell))
        for table in tables
        for row in table.rows
        for column, cell in zip(table.columns[1:], row[1:], strict=True)
    ]
    return {name: [cell[at] for cell in cells] for at, name in enumerate(("table", "row", "column", "value"))}


def format_share(part: float, whole: float) -> str:
    """Return a share as a percentage with two decimals, as the tables of Schmitz 2001 do; "" of nothing."""
    return f"{part / whole:.2%}" if whole else ""


def clean_title(title: str) -> str:
    """Return the title of a page, as short as a table needs it."""
    return clean_text(title, _TITLE_CHARS)
