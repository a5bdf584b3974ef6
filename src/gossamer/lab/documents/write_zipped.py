"""Write documents that are ZIP files: Office Open XML, OpenDocument and EPUB."""

import io
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from gossamer.lab.documents.sample_document import SampleDocument

_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_O = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def pack(members: dict[str, str | bytes], stored: str = "") -> bytes:
    """Return a ZIP file; the member named by `stored` is not compressed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)  # without the date of today
            member.compress_type = zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED
            file.writestr(member, content)
    return packed.getvalue()


def write_docx(document: "SampleDocument") -> bytes:
    """Return a Word document; its first paragraph is a heading."""
    lines = [line for page in document.pages for line in page]
    runs = [
        f"<w:p>{_style_word(at)}<w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for at, line in enumerate(lines)
    ]
    runs += [
        f'<w:p><w:hyperlink r:id="l{at}"><w:r><w:t>{escape(text)}</w:t></w:r></w:hyperlink></w:p>'
        for at, (_, text) in enumerate(document.links)
    ]
    return pack(
        {
            "[Content_Types].xml": f"{_XML}<Types/>",
            "_rels/.rels": _relate({"m": ("officeDocument", "word/document.xml", False)}),
            "docProps/core.xml": _describe(document),
            "word/document.xml": f"{_XML}<w:document {_W} {_R}><w:body>{''.join(runs)}</w:body></w:document>",
            "word/_rels/document.xml.rels": _relate_links(document),
        }
    )


def write_xlsx(document: "SampleDocument") -> bytes:
    """Return a workbook: a sheet for each page, a row for each paragraph, strings shared."""
    strings = list(dict.fromkeys(line for page in document.pages for line in page))
    shared = "".join(f"<si><t>{escape(line)}</t></si>" for line in strings)
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": f"{_XML}<Types/>",
        "_rels/.rels": _relate({"m": ("officeDocument", "xl/workbook.xml", False)}),
        "docProps/core.xml": _describe(document),
        "xl/sharedStrings.xml": f"{_XML}<sst {_S}>{shared}</sst>",
    }
    sheets = {}
    for number, page in enumerate(document.pages, 1):
        is_last = number == len(document.pages)
        rows = "".join(f'<row><c t="s"><v>{strings.index(line)}</v></c></row>' for line in page)
        rows += "".join(
            f'<row><c t="inlineStr"><is><t>{escape(text)}</t></is></c></row>'
            for _, text in (document.links if is_last else ())
        )
        links = "".join(
            f'<hyperlink ref="A{at}" r:id="l{at}" display={quoteattr(text)}/>'
            for at, (_, text) in enumerate(document.links if is_last else ())
        )
        sheet = f"<sheetData>{rows}</sheetData>{f'<hyperlinks>{links}</hyperlinks>' if links else ''}"
        members[f"xl/worksheets/sheet{number}.xml"] = f"{_XML}<worksheet {_S} {_R}>{sheet}</worksheet>"
        sheets[f"s{number}"] = ("worksheet", f"worksheets/sheet{number}.xml", False)
        if links:
            members[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = _relate_links(document)
    named = "".join(
        f'<sheet name="Part {at}" sheetId="{at}" r:id="s{at}"/>' for at in range(1, len(sheets) + 1)
    )
    members["xl/workbook.xml"] = f"{_XML}<workbook {_S} {_R}><sheets>{named}</sheets></workbook>"
    members["xl/_rels/workbook.xml.rels"] = _relate(
        sheets | {"strings": ("sharedStrings", "sharedStrings.xml", False)}
    )
    return pack(members)


def write_pptx(document: "SampleDocument") -> bytes:
    """Return a presentation: a slide for each page, whose first paragraph is its title."""
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": f"{_XML}<Types/>",
        "_rels/.rels": _relate({"m": ("officeDocument", "ppt/presentation.xml", False)}),
        "docProps/core.xml": _describe(document),
    }
    slides = {}
    for number, page in enumerate(document.pages, 1):
        is_last = number == len(document.pages)
        shapes = "".join(
            _draw_shape(escape(line), "title" if at == 0 else "body") for at, line in enumerate(page)
        )
        shapes += "".join(
            _draw_shape(escape(text), "body", f'<a:rPr><a:hlinkClick r:id="l{at}"/></a:rPr>')
            for at, (_, text) in enumerate(document.links if is_last else ())
        )
        members[f"ppt/slides/slide{number}.xml"] = (
            f"{_XML}<p:sld {_P} {_A} {_R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
        if is_last:
            members[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relate_links(document)
        slides[f"s{number}"] = ("slide", f"slides/slide{number}.xml", False)
    listed = "".join(f'<p:sldId id="{255 + at}" r:id="s{at}"/>' for at in range(1, len(slides) + 1))
    members["ppt/presentation.xml"] = (
        f"{_XML}<p:presentation {_P} {_R}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    )
    members["ppt/_rels/presentation.xml.rels"] = _relate(slides)
    return pack(members)


def write_odt(document: "SampleDocument") -> bytes:
    """Return an OpenDocument text; its first paragraph is a heading."""
    lines = [escape(line) for page in document.pages for line in page]
    text = f"<text:h>{lines[0]}</text:h>" + "".join(f"<text:p>{line}</text:p>" for line in lines[1:])
    text += "".join(
        f"<text:p><text:a xlink:href={quoteattr(url)}>{escape(anchor)}</text:a></text:p>"
        for url, anchor in document.links
    )
    about = f"<dc:title>{escape(document.title)}</dc:title><dc:creator>{escape(document.author)}</dc:creator>"
    return pack(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{_XML}<office:document-content {_O}><office:body><office:text>{text}</office:text>"
            "</office:body></office:document-content>",
            "meta.xml": f"{_XML}<office:document-meta {_O}><office:meta>{about}</office:meta></office:document-meta>",
            "META-INF/manifest.xml": f"{_XML}<manifest/>",
        },
        stored="mimetype",
    )


def write_epub(document: "SampleDocument") -> bytes:
    """Return an e-book with a chapter for each page."""
    about = f"<dc:title>{escape(document.title)}</dc:title><dc:creator>{escape(document.author)}</dc:creator>"
    numbers = range(1, len(document.pages) + 1)
    items = "".join(
        f'<item id="c{at}" href="c{at}.xhtml" media-type="application/xhtml+xml"/>' for at in numbers
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in numbers)
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f'{_XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": f'{_XML}<package><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{about}</metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    for number, page in enumerate(document.pages, 1):
        body = "".join(f"<p>{escape(line)}</p>" for line in page)
        for url, text in document.links if number == len(document.pages) else ():
            body += f"<p><a href={quoteattr(url)}>{escape(text)}</a></p>"
        members[f"OEBPS/c{number}.xhtml"] = (
            f'{_XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter</title></head><body>{body}</body></html>'
        )
    return pack(members, stored="mimetype")


def _style_word(at: int) -> str:
    return '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' if at == 0 else ""


def _draw_shape(text: str, kind: str, link: str = "") -> str:
    placeholder = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
    return f"<p:sp>{placeholder}<p:txBody><a:p><a:r>{link}<a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def _relate(relations: dict[str, tuple[str, str, bool]]) -> str:
    """Return the relations of a part: type, target and whether it is outside, by id."""
    items = "".join(
        f'<Relationship Id="{name}" Type="{_TYPE}/{kind}" Target={quoteattr(target)}'
        f"{' TargetMode=' + quoteattr('External') if outside else ''}/>"
        for name, (kind, target, outside) in relations.items()
    )
    return f'{_XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'


def _relate_links(document: "SampleDocument") -> str:
    return _relate({f"l{at}": ("hyperlink", url, True) for at, (url, _) in enumerate(document.links)})


def _describe(document: "SampleDocument") -> str:
    return (
        f'{_XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"<dc:title>{escape(document.title)}</dc:title><dc:creator>{escape(document.author)}</dc:creator>"
        "<dcterms:modified>2024-02-29T10:30:00Z</dcterms:modified></cp:coreProperties>"
    )
