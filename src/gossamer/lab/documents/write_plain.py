"""Write documents that are text files, and images with text in them."""

import struct
import zlib
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from gossamer.lab.documents.sample_document import SampleDocument


def write_rtf(document: "SampleDocument") -> bytes:
    """Return a rich text."""
    lines = [_escape_rtf(line) + "\\par\n" for page in document.pages for line in page]
    lines += [
        f'{{\\field{{\\*\\fldinst{{HYPERLINK "{url}"}}}}{{\\fldrslt {_escape_rtf(text)}}}}}\\par\n'
        for url, text in document.links
    ]
    info = f"{{\\info{{\\title {_escape_rtf(document.title)}}}{{\\author {_escape_rtf(document.author)}}}}}"
    return f"{{\\rtf1\\ansi\\ansicpg1252 {info}\n{''.join(lines)}}}".encode("ascii")


def write_markdown(document: "SampleDocument") -> bytes:
    """Return a Markdown text under its title."""
    lines = [f"# {document.title}", *(line for page in document.pages for line in page)]
    lines += [f"[{text}]({url})" for url, text in document.links]
    return "\n\n".join(lines).encode()


def write_mbox(document: "SampleDocument") -> bytes:
    """Return an archive with a message for each page."""
    messages = []
    for number, page in enumerate(document.pages, 1):
        is_last = number == len(document.pages)
        lines = [*page, *(f"{text}: {url}" for url, text in (document.links if is_last else ()))]
        body = "\n\n".join(lines)
        messages.append(
            f"From a@a.example Thu Feb 29 10:30:00 2024\nFrom: {document.author} <a@a.example>\n"
            f"Subject: {document.title}\nDate: Thu, 29 Feb 2024 10:30:00 +0000\n"
            f"Content-Type: text/plain; charset=utf-8\n\n{body}\n\n"
        )
    return "".join(messages).encode()


def write_feed(document: "SampleDocument") -> bytes:
    """Return an RSS feed with an entry for each page."""
    items = ""
    for number, page in enumerate(document.pages, 1):
        links = "".join(f"<a href={quoteattr(url)}>{escape(text)}</a>" for url, text in document.links)
        source = "".join(f"<p>{escape(line)}</p>" for line in page) + (
            links if number == len(document.pages) else ""
        )
        items += f"<item><title>Entry {number}</title><description>{escape(source)}</description></item>"
    author = f"<author>{escape(document.author)}</author>"
    return (
        f'<?xml version="1.0"?><rss version="2.0"><channel><title>{escape(document.title)}</title>{author}{items}'
        "</channel></rss>"
    ).encode()


def write_image(document: "SampleDocument") -> bytes:
    """Return a PNG image of one pixel with a title, an author and a description."""
    text = " ".join(line for page in document.pages for line in page)
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))]
    for name, value in (("Title", document.title), ("Author", document.author), ("Description", text)):
        chunks.append((b"iTXt", name.encode() + b"\0\0\0\0\0" + value.encode()))
    chunks += [(b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _escape_rtf(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
    return "".join(letter if letter.isascii() else f"\\u{ord(letter)}?" for letter in plain)
