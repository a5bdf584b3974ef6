"""A self-contained HTML page of tables and figures: it loads nothing, and all text is escaped."""

import re
from collections.abc import Iterator, Sequence
from html import escape

import msgspec

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #ccc; --strong: #666; --link: #0645ad }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #181818; --line: #444; --strong: #999; --link: #8ab4f8 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
a { color: var(--link) }
table { border-collapse: collapse; font-size: .9rem }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; white-space: nowrap }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .7rem; text-align: left; vertical-align: top }
th { border-bottom: 2px solid var(--strong); overflow-wrap: normal }
td { white-space: pre-line; min-width: 12ch }
td.long { min-width: 18ch }
.number { text-align: right; font-variant-numeric: tabular-nums }
td.number { min-width: 0; white-space: nowrap }
.wide { overflow-x: auto; margin: 1rem 0 }
figure { margin: 1rem 0; overflow-x: auto; background: #fff }
svg { display: block; width: 100%; min-width: 34rem; height: auto; max-height: 34rem }
nav li { display: inline-block; margin-right: 1rem }
nav ul { padding: 0 }
@media print {
  :root { --ink: #000; --paper: #fff; --line: #ccc; --strong: #666 }
  nav { display: none }
  figure, tr { break-inside: avoid }
  h2, caption { break-after: avoid }
  table { font-size: .75rem }
  svg { min-width: 0; max-height: 20cm }
}
"""
# A second line of defence: a browser neither runs scripts nor fetches anything, even if text were not escaped.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_AROUND_SVG = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>", re.DOTALL)
# One number, or a count with its share.
_NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?(e[-+]\d+)?\s*%?(\s+[\d.]+%)?")
_LONG_CHARS = 40
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class HtmlTable(msgspec.Struct, frozen=True):
    """A table of plain text, not yet escaped."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class Section(msgspec.Struct, frozen=True):
    """One section of a page."""

    title: str
    tables: Sequence[HtmlTable] = ()
    notes: Sequence[str] = ()
    svg: str = ""
    """A figure as written by matplotlib."""


def render_page(title: str, head: Sequence[str], sections: Sequence[Section]) -> str:
    """Return a page with a title, introductory sentences, and sections."""
    links = "".join(
        f'<li><a href="#part{at}">{_escape(one.title)}</a></li>' for at, one in enumerate(sections)
    )
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{_escape(title)}</h1>",
            *(f"<p>{_escape(sentence)}</p>" for sentence in head),
            f"<nav><ul>{links}</ul></nav>" if len(sections) > 1 else "",
            *(line for at, section in enumerate(sections) for line in _render_section(section, at)),
            "</body>\n</html>\n",
        ]
    )


def _render_section(section: Section, at: int) -> Iterator[str]:
    yield f'<section id="part{at}">\n<h2>{_escape(section.title)}</h2>'
    if section.svg:
        picture = _AROUND_SVG.sub("", section.svg)
        yield f'<figure role="img" aria-label="{_escape(section.title)}">{picture}</figure>'
    for table in section.tables:
        yield from _render_table(table, table.title if table.title != section.title else "")
    yield from (f"<p>{_escape(note)}</p>" for note in section.notes)
    yield "</section>"


def _render_table(table: HtmlTable, caption: str) -> Iterator[str]:
    """Render a table; columns that hold only numbers are right-aligned."""
    texts = [[f"{value:,}" if isinstance(value, int) else str(value) for value in row] for row in table.rows]
    kinds = [_choose_class([row[at] for row in texts]) for at in range(len(table.columns))]
    yield '<div class="wide"><table>'
    if caption:
        yield f"<caption>{_escape(caption)}</caption>"
    if any(table.columns):
        yield _render_row("th", table.columns, kinds)
    yield from (_render_row("td", row, kinds) for row in texts)
    yield "</table></div>"


def _render_row(tag: str, texts: Sequence[str], kinds: Sequence[str]) -> str:
    cells = (f"<{tag}{kind}>{_escape(text)}</{tag}>" for text, kind in zip(texts, kinds, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _choose_class(texts: Sequence[str]) -> str:
    filled = [text.strip() for text in texts if text.strip()]
    if filled and all(_NUMBER.fullmatch(text) for text in filled):
        return ' class="number"'
    return ' class="long"' if any(len(text) > _LONG_CHARS for text in filled) else ""


def _escape(text: str) -> str:
    return escape(_CONTROLS.sub(" ", text))
