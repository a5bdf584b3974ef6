"""Files that other programs wrote: the same words as their libraries read."""

import io
from typing import Any

import pytest

from gossamer.documents.document_content import UnreadableDocument
from gossamer.documents.zipped.docx import read_docx
from gossamer.documents.zipped.open_document import read_open_document
from gossamer.documents.zipped.pptx import read_pptx
from gossamer.documents.zipped.xlsx import read_xlsx
from gossamer.lab.documents.write_zipped import pack

URL = "http://a.example/file"


def save(document: Any) -> bytes:
    body = io.BytesIO()
    document.save(body)
    return body.getvalue()


def test_a_word_document() -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.core_properties.title = "Lanterns"
    document.add_heading("Copper lanterns", 1)
    document.add_paragraph("They burn ").add_run("long").bold = True
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "price", "12"
    found = read_docx(save(document), URL)
    assert found.title == "Lanterns"
    assert found.headings == ("Copper lanterns",)
    assert found.text == "Copper lanterns\nThey burn long\nprice\n12"


def test_a_workbook() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Prices"
    book.active.append(["lantern", 12.5, True])
    book.active["A2"] = "more"
    book.active["A2"].hyperlink = "http://a.example/more"
    book.create_sheet("Empty")
    found = read_xlsx(save(book), URL)
    assert [(part.label, part.text) for part in found.parts] == [("sheet Prices", "lantern 12.5 1\nmore")]
    assert [link.url for link in found.links] == ["http://a.example/more"]


def test_a_presentation_with_notes() -> None:
    pptx = pytest.importorskip("pptx")
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Copper lanterns"
    slide.placeholders[1].text_frame.text = "They burn long"
    slide.notes_slide.notes_text_frame.text = "Say this slowly"
    found = read_pptx(save(show), URL)
    assert found.headings == ("Copper lanterns",)
    [part] = found.parts
    assert (part.label, part.text) == ("slide 1", "Copper lanterns\nThey burn long\nSay this slowly")


def test_open_documents() -> None:
    pytest.importorskip("odf")
    from odf import opendocument, table, text

    letter = opendocument.OpenDocumentText()
    letter.text.addElement(text.H(outlinelevel=1, text="Lanterns"))
    line = text.P(text="See ")
    line.addElement(text.A(href="http://a.example/", text="here"))
    letter.text.addElement(line)
    found = read_open_document(save(letter), URL)
    assert (found.format, found.text, found.headings) == ("odt", "Lanterns\nSee here", ("Lanterns",))
    assert found.links[0].text == "here"
    sheets = opendocument.OpenDocumentSpreadsheet()
    sheet, row = table.Table(name="Prices"), table.TableRow()
    for value in ("lantern", "12"):
        cell = table.TableCell()
        cell.addElement(text.P(text=value))
        row.addElement(cell)
    sheet.addElement(row)
    sheets.spreadsheet.addElement(sheet)
    found = read_open_document(save(sheets), URL)
    assert found.format == "ods"
    assert [(part.label, part.text) for part in found.parts] == [("sheet Prices", "lantern 12")]


def test_deleted_text_and_older_forms_of_the_same_text_are_left_out() -> None:
    changed = "<w:p><w:del><w:delText>old</w:delText></w:del><w:t>new</w:t></w:p>"
    twice = (
        "<mc:AlternateContent><w:t>box</w:t><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent>"
    )
    body = f"<w:document>{changed}<w:p>{twice}</w:p></w:document>"
    assert read_docx(pack({"word/document.xml": body}), URL).text == "new\nbox"


def test_a_faulty_part_is_read_up_to_the_fault() -> None:
    found = read_docx(pack({"word/document.xml": "<w:document><w:p><w:t>first</w:t></w:p><w:p></w:q>"}), URL)
    assert found.text == "first"
    assert found.warnings == ("its XML is faulty and was read up to the fault",)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"content.xml": "<a/>", "META-INF/manifest.xml": "<encryption-data/>"}, "encrypted"),
        ({"other.xml": "<a/>"}, "broken: it has no content.xml"),
        ({"content.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}, "broken: it declares XML entities"),
        ({"content.xml": "<a>" * 600}, "too large: its XML is nested"),
    ],
)
def test_hostile_packages_are_refused(members: dict[str, str | bytes], reason: str) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        read_open_document(pack(members), URL)


def test_what_is_no_zip_file_is_broken() -> None:
    with pytest.raises(UnreadableDocument, match="broken: not a whole ZIP file"):
        read_docx(b"PK\x03\x04 and no more", URL)
