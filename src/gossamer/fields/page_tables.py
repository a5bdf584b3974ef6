"""Reads the tables of a page, cells that span rows and columns included, within limits."""

from collections.abc import Iterator

import msgspec

from gossamer.fields.limit_values import clean_surrogates
from gossamer.net.html.parse_tree import Element, Tree, find_elements

MOST_TABLES = 100
MOST_CELLS = 20_000
"""Cells of all tables of a page, each counted as often as it spans a place."""
_LONGEST_CELL = 10_000


class PageTable(msgspec.Struct, frozen=True):
    """A table of a page, row by row."""

    caption: str
    rows: list[list[str]]


def read_tables(tree: Tree) -> list[PageTable]:
    """Return the tables with at least two rows; tables that hold other tables are layout, and left out."""
    found: list[PageTable] = []
    left = MOST_CELLS
    for table in find_elements(tree, "table")[: 10 * MOST_TABLES]:
        if left <= 0 or len(found) >= MOST_TABLES:
            break
        if table.find("table") is not None:
            continue
        rows = _read_rows(table, left)
        left -= sum(map(len, rows))
        if len(rows) > 1:
            caption = table.find("caption")
            found.append(PageTable(_read_cell(caption) if caption is not None else "", rows))
    return found


def _read_rows(table: Element, most: int) -> list[list[str]]:
    """Return the rows; a cell that spans several places stands at each of them."""
    rows: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}  # by column: what spans into the next row, and how many rows more
    for row in table.find_all("tr"):
        cells: list[str] = []
        spanning: dict[int, tuple[str, int]] = {}
        for cell in _list_cells(row):
            _fill_spanned(cells, below, spanning)
            text = _read_cell(cell)
            columns, lines = _read_span(cell, "colspan"), _read_span(cell, "rowspan")
            for _ in range(min(columns, most - len(cells))):
                if lines > 1:
                    spanning[len(cells)] = text, lines - 1
                cells.append(text)
        _fill_spanned(cells, below, spanning)
        below = spanning
        rows.append(cells)
        most -= len(cells) + 1
        if most <= 0:
            break
    return [row for row in rows if row]


def _fill_spanned(
    cells: list[str], below: dict[int, tuple[str, int]], spanning: dict[int, tuple[str, int]]
) -> None:
    """Append the cells that span into this row from above, from the next column on."""
    while len(cells) in below:
        text, lines = below.pop(len(cells))
        if lines > 1:
            spanning[len(cells)] = text, lines - 1
        cells.append(text)


def _list_cells(row: Element) -> Iterator[Element]:
    for child in row.children:
        if isinstance(child, Element) and child.tag in ("td", "th"):
            yield child


def _read_cell(cell: Element) -> str:
    return clean_surrogates(" ".join(cell.text.split())[:_LONGEST_CELL])


def _read_span(cell: Element, name: str) -> int:
    value = str(cell.attrs.get(name) or "")
    return max(1, min(int(value), 1_000)) if value.isdecimal() and len(value) < 6 else 1
