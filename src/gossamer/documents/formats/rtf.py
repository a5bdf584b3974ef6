"""Read rich text (RTF) with striprtf: text, links, title and author."""

import re

from gossamer.documents.document_content import DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.errors import MissingExtra

try:
    from striprtf.striprtf import rtf_to_text
except ModuleNotFoundError:
    raise MissingExtra("documents", "striprtf") from None

_LINK = re.compile(r'HYPERLINK\s+"([^"\s]{1,4000})"')
_INFO = re.compile(r"\{\\info(.{0,20000})", re.DOTALL)
_FIELD = r"\{\\%s\s+((?:[^{}\\]|\\[^{}]){0,2000})\}"
_DATE = re.compile(r"\{\\(?:revtim|creatim)\\yr(\d{4})(?:\\mo(\d{1,2}))?(?:\\dy(\d{1,2}))?")


def read_rtf(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a rich text file."""
    if not body.lstrip().startswith(b"{\\rtf"):
        raise UnreadableDocument("broken", "it does not begin as RTF does")
    source = body.decode("latin-1")
    text = TextCollector()
    for line in _to_text(source).splitlines():
        text.add_text(line.replace("|", " "))  # striprtf separates the cells of tables by bars
        text.end_paragraph()
    for found in _LINK.finditer(source):
        text.add_link(found[1])
    info = _INFO.search(source)
    dated = _DATE.search(info[1]) if info else None
    return DocumentContent(
        format="rtf",
        title=_read_field(info[1], "title") if info else "",
        author=_read_field(info[1], "author") if info else "",
        date=f"{dated[1]}-{int(dated[2] or 1):02}-{int(dated[3] or 1):02}" if dated else "",
        parts=text.take_parts(),
        links=tuple(text.links),
    )


def _read_field(info: str, name: str) -> str:
    found = re.search(_FIELD % name, info)
    return " ".join(_to_text("{\\rtf1 " + found[1] + "}").split()) if found else ""


def _to_text(source: str) -> str:
    try:
        plain: str = rtf_to_text(source, errors="ignore")  # type: ignore[no-untyped-call]
    except (ValueError, IndexError, LookupError, TypeError, OverflowError, AttributeError) as error:
        raise UnreadableDocument("broken", f"{type(error).__name__}: {error}") from None
    # A character beyond 16 bits is written as two halves.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
