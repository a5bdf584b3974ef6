"""Render a document as the HTML page that it would be, so that everything that reads pages reads documents too."""

from html import escape

import msgspec

from gossamer.documents.document_content import DocumentContent
from gossamer.net import html
from gossamer.net.html.document import Document, Heading


def to_page(content: DocumentContent, url: str, most_links: int = html.MAX_LINKS) -> Document:
    """Return a document as a page: its text, title, headings, and links in canonical form.

    Cost: that of reading an HTML page with the same text.
    """
    page = html.read(render(content).encode("utf-8", "replace"), url, "text/html; charset=utf-8", most_links)
    headings = tuple(Heading(1, heading) for heading in content.headings)
    return msgspec.structs.replace(page, text=content.text, headings=headings)


def render(content: DocumentContent) -> str:
    """Return a document as HTML: a paragraph for each line, and the links as navigation."""
    sections = (
        f'<section title="{escape(part.label)}">{_render_lines(part.text)}</section>'
        for part in content.parts
    )
    links = "".join(
        f'<li><a href="{escape(link.url)}">{escape(link.text)}</a></li>' for link in content.links
    )
    language = f' lang="{escape(content.language)}"' if content.language else ""
    author = f'<meta name="author" content="{escape(content.author)}">' if content.author else ""
    return (
        f'<!doctype html><html{language}><head><meta charset="utf-8"><title>{escape(content.title)}</title>{author}'
        f"</head><body><main>{''.join(sections)}</main>{f'<nav><ul>{links}</ul></nav>' if links else ''}</body></html>"
    )


def _render_lines(text: str) -> str:
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in text.split("\n"))
