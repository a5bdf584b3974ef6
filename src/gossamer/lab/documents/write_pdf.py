"""Write PDF files: pages of lines in a standard font, links, title and author."""

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.lab.documents.sample_document import SampleDocument

_LINE_CHARACTERS = 80


def write_pdf(document: "SampleDocument") -> bytes:
    """Return a PDF file with one page for each page of the document; text is in Latin-1."""
    pages = len(document.pages)
    first = 4
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (pages, b" ".join(b"%d 0 R" % (first + 2 * at) for at in range(pages))),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for at, paragraphs in enumerate(document.pages):
        is_last = at == pages - 1
        links = document.links if is_last else ()
        stream = zlib.compress(_draw(_wrap(paragraphs), [text for _, text in links]))
        annotations = b" ".join(_annotate(number, url) for number, (url, _) in enumerate(links))
        objects[first + 2 * at] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R /Annots [%s] >>" % (first + 2 * at + 1, annotations)
        )
        objects[first + 2 * at + 1] = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (
            len(stream),
            stream,
        )
    info = first + 2 * pages
    objects[info] = b"<< /Title (%s) /Author (%s) /ModDate (D:20240229103000Z) >>" % (
        _escape(document.title),
        _escape(document.author),
    )
    return join_objects(objects, info)


def join_objects(objects: dict[int, bytes], info: int = 0) -> bytes:
    """Return a file of numbered objects, with the table of where they begin; the first is the catalogue."""
    body = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    begins = {}
    for number, content in objects.items():
        begins[number] = len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(body)
    size = max(objects) + 1
    body += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        body += b"%010d 00000 n \n" % begins[number] if number in begins else b"0000000000 65535 f \n"
    about = b" /Info %d 0 R" % info if info else b""
    body += b"trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (size, about, table)
    return bytes(body)


def _wrap(paragraphs: tuple[str, ...]) -> list[str]:
    lines = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split():
            if line and len(line) + len(word) >= _LINE_CHARACTERS:
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else word
        lines.append(line)
    return lines


def _draw(lines: list[str], anchors: list[str]) -> bytes:
    drawn = [b"BT /F1 11 Tf 14 TL 50 740 Td"]
    drawn += [b"(%s) Tj T*" % _escape(line) for line in lines] + [b"ET"]
    for number, text in enumerate(anchors):
        drawn.append(b"BT /F1 11 Tf 50 %d Td (%s) Tj ET" % (100 - 20 * number, _escape(text)))
    return b"\n".join(drawn)


def _annotate(number: int, url: str) -> bytes:
    """Return a link over the line of its anchor text."""
    bottom = 96 - 20 * number
    return b"<< /Type /Annot /Subtype /Link /Rect [48 %d 560 %d] /A << /S /URI /URI (%s) >> >>" % (
        bottom,
        bottom + 14,
        _escape(url),
    )


def _escape(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
