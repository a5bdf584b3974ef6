"""Every format gives its title, author, text, parts and links."""

import pytest

from gossamer.documents.document_content import DocumentContent
from gossamer.documents.find_reader import choose_reader, find_reader
from gossamer.lab.documents.sample_document import FORMS, SampleDocument, write_document
from gossamer.net.media_type import detect_kind

SAMPLE = SampleDocument(
    "Über Laternen & <Häfen>",
    "Ada Schäfer",
    (
        ("Lanterns at the harbour", "The first page says that copper lanterns burn longer than paper ones."),
        ("A second part", "Winter comes; the violet meadow sleeps until the signal at the river."),
    ),
    (("http://a.example/next?x=1&y=2", "The next page"),),
)
LABELS = {
    "pdf": ["page 1", "page 2"],
    "xlsx": ["sheet Part 1", "sheet Part 2"],
    "pptx": ["slide 1", "slide 2"],
    "epub": ["chapter 1", "chapter 2"],
    "mail": ["message 1", "message 2"],
    "feed": ["entry 1", "entry 2"],
}
NO_PROPERTIES = {"mail"}  # an archive of several messages
NO_AUTHOR = {"markdown", *NO_PROPERTIES}


def read(form: str, document: SampleDocument = SAMPLE) -> DocumentContent:
    reader = find_reader(form)
    assert reader is not None
    return reader(write_document(form, document), "http://a.example/doc")


@pytest.mark.parametrize("form", FORMS)
def test_all_text_is_read(form: str) -> None:
    text = " ".join(read(form).text.split())
    for page in SAMPLE.pages:
        for line in page:
            assert line in text


@pytest.mark.parametrize("form", FORMS)
def test_title_and_author_are_read(form: str) -> None:
    found = read(form)
    assert found.title == ("" if form in NO_PROPERTIES else SAMPLE.title)
    assert found.author == ("" if form in NO_AUTHOR else SAMPLE.author)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "image"])
def test_links_are_read_with_their_texts(form: str) -> None:
    [link] = read(form).links
    assert link.url == "http://a.example/next?x=1&y=2"
    assert link.text == ("" if form in ("rtf", "mail") else "The next page")


@pytest.mark.parametrize("form", FORMS)
def test_parts_have_labels(form: str) -> None:
    assert [part.label for part in read(form).parts] == LABELS.get(form, [""])


@pytest.mark.parametrize("form", ["docx", "odt", "pptx"])
def test_headings_are_read(form: str) -> None:
    assert read(form).headings[0] == "Lanterns at the harbour"


@pytest.mark.parametrize("form", ["pdf", "docx"])
def test_dates_are_read(form: str) -> None:
    assert read(form).date.startswith("2024-02-29T10:30:00")


@pytest.mark.parametrize("form", FORMS)
def test_the_reader_is_chosen_by_the_bytes(form: str) -> None:
    body, how = write_document(form, SAMPLE), FORMS[form]
    url = f"http://a.example/doc.{how.extension}"
    assert detect_kind(how.media_type, body, url) == how.kind
    assert choose_reader(how.kind, how.media_type, body, url) == form
    if how.kind == "office":  # with a label that says nothing
        assert choose_reader(how.kind, "application/octet-stream", body, "http://a.example/doc") == form
