import io

import pytest

from gossamer.documents.document_content import UnreadableDocument
from gossamer.documents.formats.pdf import join_lines, read_pdf
from gossamer.lab.documents.sample_document import SampleDocument
from gossamer.lab.documents.write_pdf import write_pdf

URL = "http://a.example/paper.pdf"


def test_lines_become_paragraphs() -> None:
    text = "1 Lanterns\r\nA long line of text that goes on to the end of the page and then\r\ncontinues.\r\nNext."
    assert join_lines(text) == (
        "1 Lanterns\nA long line of text that goes on to the end of the page and then continues.\nNext."
    )


@pytest.mark.parametrize("mark", ["\ufffe", "\x02", "-\n", "\u00ad\n"])
def test_divided_words_become_one(mark: str) -> None:
    assert "lanterns" in join_lines(f"We like copper lan{mark}terns.")


def test_accents_beside_their_letters_are_joined() -> None:
    assert join_lines("Gr¨unbacher, Caf´e") == "Grünbacher, Café"


@pytest.mark.parametrize("title", ["", "Microsoft Word - draft.doc", "untitled", "paper.dvi"])
def test_the_first_line_stands_in_for_a_title_that_a_program_made_up(title: str) -> None:
    document = SampleDocument(title, "", (("Lanterns at sea", "Some text."),))
    assert read_pdf(write_pdf(document), URL).title == "Lanterns at sea"


def test_a_file_that_takes_long_is_read_in_part() -> None:
    document = SampleDocument("t", "", tuple((f"Page number {at}.",) for at in range(10)))
    clock = iter(float(3 * second) for second in range(100))
    found = read_pdf(write_pdf(document), URL, lambda: next(clock))
    assert [part.label for part in found.parts] == ["page 1", "page 2"]
    assert found.warnings == ("only the first 2 of 10 pages were read",)


def test_pages_without_text_are_explained() -> None:
    found = read_pdf(write_pdf(SampleDocument("t", "", ((),))), URL)
    assert not found.parts
    assert found.warnings == ("it has no text: its pages may be pictures",)


def test_a_password_is_told_from_damage() -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(write_pdf(SampleDocument("t", "", (("x",),)))))
    writer.encrypt("secret", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    with pytest.raises(UnreadableDocument, match="encrypted: it needs a password"):
        read_pdf(locked.getvalue(), URL)
    with pytest.raises(UnreadableDocument, match="broken"):
        read_pdf(b"%PDF-1.4 and nothing else", URL)
