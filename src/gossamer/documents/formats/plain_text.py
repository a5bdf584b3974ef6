"""Read plain text: paragraphs, and the addresses in it as links."""

import re

from gossamer.documents.document_content import MOST_CHARACTERS, DocumentContent
from gossamer.documents.formats.document_text import TextCollector
from gossamer.net.encoding import decode

_URL = re.compile(r"https?://[^\s<>\"'`{}|\\^\[\]]{3,2000}")
_AFTER_URL = ".,;:!?*_~'’”»"
_WRAPPED = 45
"""Lines of this length on average are wrapped: they make one paragraph."""
_BLANK = re.compile(r"\n[ \t\r\f]*\n")


def read_plain_text(body: bytes, url: str, content_type: str | None = None) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a plain text of any encoding."""
    text = TextCollector()
    add_plain_text(text, decode(body[: 4 * MOST_CHARACTERS], content_type)[0])
    return DocumentContent(format="text", parts=text.take_parts(), links=tuple(text.links))


def add_plain_text(text: TextCollector, source: str) -> None:
    """Add the paragraphs of a plain text, and its addresses as links."""
    for block in _BLANK.split(source.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.splitlines()
        is_wrapped = len(lines) > 1 and sum(map(len, lines[:-1])) / (len(lines) - 1) >= _WRAPPED
        for line in [" ".join(lines)] if is_wrapped else lines:
            text.add_text(line)
            text.end_paragraph()
        if text.is_full:
            return
        for found in _URL.finditer(block):
            text.add_link(_trim_url(found[0]))


def _trim_url(url: str) -> str:
    """Return an address without the punctuation of the sentence around it."""
    url = url.rstrip(_AFTER_URL)
    while url.endswith(")") and url.count("(") < url.count(")"):
        url = url[:-1].rstrip(_AFTER_URL)
    return url
