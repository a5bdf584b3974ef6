"""Read pieces of HTML inside other documents: chapters, entries of feeds, mail."""

from gossamer.documents.formats.document_text import TextCollector
from gossamer.net import html

_NOWHERE = "http://document.invalid/"
"""Relative links inside a document lead to its own members."""


def add_html(text: TextCollector, source: bytes | str, base: str = "", with_headings: bool = False) -> str:
    """Add the text and the links of a piece of HTML; return its title. Relative links need a base."""
    body = source.encode("utf-8", "replace") if isinstance(source, str) else source
    document = html.read(
        body, base or _NOWHERE, "text/html; charset=utf-8" if isinstance(source, str) else None
    )
    for line in document.text.split("\n"):
        text.add_text(line)
        text.end_paragraph()
    for link in document.links:
        if link.type in ("a", "area") and not link.url.startswith(_NOWHERE):
            text.add_link(link.url, link.text)
    if with_headings:
        text.headings += [heading.text for heading in document.headings]
    return document.title
