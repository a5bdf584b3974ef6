"""One page of HTML that holds all it needs: tables and pictures, nothing from elsewhere, everything escaped."""

import re
from collections.abc import Iterator, Sequence
from html import escape

import msgspec

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-size: .9rem }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem }
th, td { border-bottom: 1px solid #ccc; padding: .2rem .7rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { border-bottom: 2px solid #666; white-space: nowrap }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
svg { max-width: 100%; height: auto }
figure { margin: 1rem 0 }
nav li { display: inline; margin-right: 1rem }
nav ul { padding: 0 }
@media print { nav { display: none } section { break-inside: avoid-page } }
"""
# Even if something slipped through, a browser would neither run nor fetch it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_AROUND_SVG = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>", re.DOTALL)
_NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?(e[-+]\d+)?\s*%?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Table(msgspec.Struct, frozen=True):
    """A table; its texts are plain."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class Section(msgspec.Struct, frozen=True):
    """One part of a page."""

    title: str
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    svg: str = ""
    """A picture as matplotlib wrote it."""


def page(title: str, head: Sequence[str], sections: Sequence[Section]) -> str:
    """Return a page with a title, some sentences below it, and sections."""
    links = "".join(f'<li><a href="#part{at}">{_text(one.title)}</a></li>' for at, one in enumerate(sections))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{_text(title)}</h1>",
            *(f"<p>{_text(sentence)}</p>" for sentence in head),
            f"<nav><ul>{links}</ul></nav>" if len(sections) > 1 else "",
            *(line for at, section in enumerate(sections) for line in _section(section, at)),
            "</body>\n</html>\n",
        ]
    )


def _section(section: Section, at: int) -> Iterator[str]:
    yield f'<section id="part{at}">\n<h2>{_text(section.title)}</h2>'
    if section.svg:
        picture = _AROUND_SVG.sub("", section.svg)
        yield f'<figure role="img" aria-label="{_text(section.title)}">{picture}</figure>'
    for table in section.tables:
        yield from _table(table)
    yield from (f"<p>{_text(note)}</p>" for note in section.notes)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f"<table>\n<caption>{_text(table.title)}</caption>" if table.title else "<table>"
    yield f"<tr>{''.join(f'<th>{_text(column)}</th>' for column in table.columns)}</tr>"
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</table>"


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    kind = ' class="number"' if _NUMBER.fullmatch(text.strip()) else ""
    return f"<td{kind}>{_text(text)}</td>"


def _text(text: str) -> str:
    return escape(_CONTROLS.sub(" ", text))
