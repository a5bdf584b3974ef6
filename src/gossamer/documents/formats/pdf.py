"""Read PDF files with pdfium: text and links page by page, title, author, date and outline."""

import ctypes
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice

from gossamer.documents.document_content import (
    MOST_CHARACTERS,
    MOST_HEADINGS,
    MOST_LINKS,
    DocumentContent,
    DocumentLink,
    DocumentPart,
    UnreadableDocument,
)
from gossamer.errors import MissingExtra

try:
    import pypdfium2 as pdfium
    import pypdfium2.raw as pdfium_c
except ModuleNotFoundError:
    raise MissingExtra("documents", "pypdfium2") from None

_MOST_PAGES = 5_000
_CPU_S = 8.0
"""A file that takes longer is read up to there; 1,000 pages of a manual take about 3 s."""
_MOST_LINKS_OF_A_PAGE = 2_000
_LONGEST_URL = 4_000
_LONGEST_ANCHOR = 300
_SHORT_LINE = 0.72
"""A line shorter than this share of a page's usual line ends its paragraph."""
_LEAST_LINE = 30
"""Characters: lines of a narrow column are longer."""
# pdfium writes one of these where a word is divided at the end of a line.
_DIVIDED = re.compile("[\ufffe\x02]\n?")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])")
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˚": "\u030a"}
# TeX's older fonts draw an accent and then its letter.
_ACCENTED = re.compile(r"([¨´ˆ˜ˇ˚])([A-Za-zı])")
_MARKER = re.compile(r"(?:[•‣◦▪–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?")
# Titles that writing programs make up.
_NO_TITLE = re.compile(
    r"(?i)untitled|microsoft (?:word|powerpoint) - |.*\.(?:docx?|dvi|tex|indd|qxd|xlsx?|pptx?|pdf|ps)$"
)


def read_pdf(body: bytes, url: str, cpu_clock: Callable[[], float] = time.process_time) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a PDF file; one that takes long is read in part, with a warning."""
    document = _open(body)
    try:
        warnings: list[str] = []
        parts, links = _read_pages(document, warnings, cpu_clock)
        title = document.get_metadata_value("Title").strip()
        return DocumentContent(
            format="pdf",
            title=_choose_title(title, parts),
            parts=tuple(parts),
            links=tuple(links),
            headings=tuple(_list_headings(document)),
            author=document.get_metadata_value("Author"),
            date=_find_date(document),
            language=_read_language(document),
            warnings=tuple(warnings),
        )
    finally:
        document.close()


def _open(body: bytes) -> "pdfium.PdfDocument":
    try:
        return pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        if error.err_code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
            raise UnreadableDocument("encrypted", "it needs a password") from None
        raise UnreadableDocument("broken", "it is not a whole PDF file") from None


def _read_pages(
    document: "pdfium.PdfDocument", warnings: list[str], cpu_clock: Callable[[], float]
) -> tuple[list[DocumentPart], list[DocumentLink]]:
    parts: list[DocumentPart] = []
    links: list[DocumentLink] = []
    pages, broken, characters = len(document), 0, 0
    ends_s = cpu_clock() + _CPU_S
    for number in range(min(pages, _MOST_PAGES)):
        if cpu_clock() > ends_s or characters > MOST_CHARACTERS:
            warnings.append(f"only the first {number:,} of {pages:,} pages were read")
            break
        try:
            text, found = _read_page(document, number, characters)
        except pdfium.PdfiumError:
            broken += 1
            continue
        characters += len(text)
        links += found[: MOST_LINKS - len(links)]
        if text:
            parts.append(DocumentPart(f"page {number + 1}", text))
    if broken:
        warnings.append(f"{broken:,} of {pages:,} pages could not be read")
    if not parts:
        if broken and broken == pages:
            raise UnreadableDocument("broken", "none of its pages can be read")
        warnings.append("it has no text: its pages may be pictures")
    return parts, links


def _read_page(document: "pdfium.PdfDocument", number: int, so_far: int) -> tuple[str, list[DocumentLink]]:
    page = document[number]
    try:
        text_page = page.get_textpage()
        try:
            count = min(text_page.count_chars(), MOST_CHARACTERS - so_far + 1)
            text = text_page.get_text_range(0, count) if count > 0 else ""
            return join_lines(text), list(_list_links(document, page, text_page))
        finally:
            text_page.close()
    finally:
        page.close()


def join_lines(text: str) -> str:
    """Return the text of a page with one line for each paragraph, and divided words as one.

    A paragraph ends with a line that is clearly shorter than the usual ones, or before a bullet or number.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    text = _HYPHEN.sub("", _DIVIDED.sub("", text))
    text = _ACCENTED.sub(_compose, text)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    lines = [line for line in lines if line]
    lengths = sorted(map(len, lines))
    usual = lengths[len(lengths) * 9 // 10] if lengths else 0
    paragraphs: list[list[str]] = []
    is_open = False
    for line in lines:
        if is_open and not _MARKER.match(line):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
        is_open = len(line) >= max(_SHORT_LINE * usual, _LEAST_LINE)
    return "\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _compose(match: re.Match[str]) -> str:
    letter = "i" if match[2] == "ı" else match[2]
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[match[1]])
    return composed if len(composed) == 1 else match[0]


def _list_links(
    document: "pdfium.PdfDocument", page: "pdfium.PdfPage", text_page: "pdfium.PdfTextPage"
) -> Iterator[DocumentLink]:
    """Yield the links of a page to addresses, with the text under each."""
    position, link = ctypes.c_int(0), pdfium_c.FPDF_LINK()
    for _ in range(_MOST_LINKS_OF_A_PAGE):
        if not pdfium_c.FPDFLink_Enumerate(page, position, link):
            return
        action = pdfium_c.FPDFLink_GetAction(link)
        if not action or pdfium_c.FPDFAction_GetType(action) != pdfium_c.PDFACTION_URI:
            continue
        size = min(pdfium_c.FPDFAction_GetURIPath(document, action, None, 0), _LONGEST_URL)
        buffer = ctypes.create_string_buffer(max(1, size))
        pdfium_c.FPDFAction_GetURIPath(document, action, buffer, size)
        url = buffer.value.decode("utf-8", "replace")
        box = pdfium_c.FS_RECTF()
        has_box = pdfium_c.FPDFLink_GetAnnotRect(link, box)
        text = text_page.get_text_bounded(box.left, box.bottom, box.right, box.top) if has_box else ""
        if url:
            yield DocumentLink(url, " ".join(_DIVIDED.sub("", text).split())[:_LONGEST_ANCHOR])


def _list_headings(document: "pdfium.PdfDocument") -> list[str]:
    found = (" ".join(mark.get_title().split()) for mark in islice(document.get_toc(8), MOST_HEADINGS))
    return [title for title in found if title]


def _choose_title(title: str, parts: list[DocumentPart]) -> str:
    """Return the title that the file declares, or else its first line."""
    if title and not _NO_TITLE.match(title):
        return title
    return parts[0].text.partition("\n")[0][:150] if parts else title


def _find_date(document: "pdfium.PdfDocument") -> str:
    for key in ("ModDate", "CreationDate"):
        if found := _DATE.match(document.get_metadata_value(key)):
            year, month, day, *clock = (value or "" for value in found.groups())
            time_of_day = f"T{':'.join(clock)}" if all(clock) else ""
            return f"{year}-{month or '01'}-{day or '01'}{time_of_day}"
    return ""


def _read_language(document: "pdfium.PdfDocument") -> str:
    size = min(pdfium_c.FPDFCatalog_GetLanguage(document, None, 0), 200)
    buffer = ctypes.create_string_buffer(max(2, size))
    pdfium_c.FPDFCatalog_GetLanguage(document, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[:size].decode("utf-16-le", "ignore").rstrip("\0")
