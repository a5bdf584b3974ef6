"""Read Markdown with markdown-it: paragraphs, headings and links."""

from gossamer.documents.document_content import DocumentContent, DocumentLink
from gossamer.documents.formats.document_text import TextCollector
from gossamer.errors import MissingExtra
from gossamer.net.encoding import decode

try:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
except ModuleNotFoundError:
    raise MissingExtra("documents", "markdown-it-py") from None

_PARSER = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")


def read_markdown(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a Markdown text; its first heading is its title."""
    text = TextCollector()
    is_heading = False
    for token in _PARSER.parse(decode(body, None)[0]):
        if token.type == "inline":
            _add_inline(text, token)
            text.end_paragraph(is_heading)
        elif token.type in ("fence", "code_block"):
            for line in token.content.splitlines():
                text.add_text(line)
                text.end_paragraph()
        is_heading = token.type == "heading_open"
        if text.is_full:
            break
    return DocumentContent(
        format="markdown",
        title=text.headings[0] if text.headings else "",
        parts=text.take_parts(),
        links=tuple(link for link in text.links if _is_followed(link)),
        headings=tuple(text.headings),
    )


def _add_inline(text: TextCollector, inline: Token) -> None:
    for child in inline.children or ():
        match child.type:
            case "text" | "code_inline":
                text.add_text(child.content)
            case "softbreak" | "hardbreak":
                text.add_text(" ")
            case "image":
                text.add_text(child.content)
            case "link_open":
                text.begin_link(str(child.attrGet("href") or ""))
            case "link_close":
                text.end_link()


def _is_followed(link: DocumentLink) -> bool:
    return not link.url.startswith("#")
