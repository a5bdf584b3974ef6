"""Read mail: single messages, and archives of many (mbox)."""

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser

from gossamer.documents.document_content import MOST_PARTS, DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.html_text import add_html
from gossamer.documents.formats.plain_text import add_plain_text
from gossamer.net.encoding import decode

_FROM = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_HEADER = re.compile(rb"[!-9;-~]+:")
_MESSAGE_BYTES = 5_000_000
_MOST_INNER_PARTS = 100
_SHOWN = ("Subject", "From", "Date")


def read_mail(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read one message or an archive of messages; attachments are left out."""
    text = TextCollector()
    first: Message | None = None
    number = 0
    for source in _split(body):
        try:
            message = BytesParser().parsebytes(source[:_MESSAGE_BYTES])
        except (MessageError, ValueError, LookupError):
            continue
        number += 1
        if number > MOST_PARTS or text.is_full:
            break
        first = first or message
        text.begin_part(f"message {number}")
        _add_message(text, message)
    if first is None:
        raise UnreadableDocument("broken", "it has no messages")
    return DocumentContent(
        format="mail",
        title=_read_header(first, "Subject") if number == 1 else "",
        author=_read_header(first, "From") if number == 1 else "",
        date=_read_header(first, "Date") if number == 1 else "",
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
    )


def _split(body: bytes) -> Iterator[bytes]:
    """Yield the messages of an archive, or the only one."""
    if not body.startswith(b"From "):
        if _HEADER.match(body):
            yield body
        return
    begins = [found for found in _FROM.finditer(body) if found.start() == 0 or _begins_message(body, found)]
    ends = [found.start() for found in begins[1:]] + [len(body)]
    for found, end in zip(begins, ends, strict=True):
        yield body[found.end() : end]


def _begins_message(body: bytes, found: re.Match[bytes]) -> bool:
    """Say whether a line that begins with "From " separates messages: an empty line before it, a header after it."""
    return body[found.start() - 2 : found.start()] in (b"\n\n", b"\r\n") and bool(
        _HEADER.match(body, found.end())
    )


def _add_message(text: TextCollector, message: Message) -> None:
    for name in _SHOWN:
        value = _read_header(message, name)
        if value:
            text.add_text(value if name == "Subject" else f"{name}: {value}")
            text.end_paragraph(name == "Subject")
    plain, marked_up = _find_bodies(message)
    if plain.strip():
        add_plain_text(text, plain)
    elif marked_up:
        add_html(text, marked_up)


def _find_bodies(message: Message) -> tuple[str, str]:
    """Return the plain text and the HTML of a message, either may be empty."""
    found = {"text/plain": "", "text/html": ""}
    for number, part in enumerate(message.walk()):
        if number >= _MOST_INNER_PARTS:
            break
        kind = part.get_content_type()
        if kind in found and not found[kind] and part.get_content_disposition() != "attachment":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                found[kind] = decode(payload, f"{kind}; charset={part.get_content_charset('')}")[0]
    return found["text/plain"], found["text/html"]


def _read_header(message: Message, name: str) -> str:
    """Return a header with its encoded words decoded."""
    value = message.get(name)
    if value is None:
        return ""
    try:
        pieces = decode_header(str(value)[:10_000])
    except (ValueError, MessageError):
        return " ".join(str(value).split())
    decoded = (
        decode(piece, f"text/plain; charset={charset or ''}")[0] if isinstance(piece, bytes) else piece
        for piece, charset in pieces
    )
    return " ".join("".join(decoded).split())
