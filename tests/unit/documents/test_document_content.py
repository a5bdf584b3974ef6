from gossamer.documents import document_content
from gossamer.documents.document_content import (
    LONGEST_FIELD,
    MOST_CHARACTERS,
    MOST_LINKS,
    DocumentContent,
    DocumentLink,
    DocumentPart,
    ReadingFailure,
    limit_content,
)


def test_a_document_within_the_limits_is_left_as_it_is() -> None:
    content = DocumentContent(
        format="pdf", title="A", parts=(DocumentPart("page 1", "x"), DocumentPart("page 2", "y"))
    )
    assert limit_content(content) == content
    assert content.text == "x\ny"


def test_everything_a_reader_returns_is_limited() -> None:
    huge = "x" * (MOST_CHARACTERS + 10)
    found = limit_content(
        DocumentContent(
            title=huge,
            author=huge,
            date=huge,
            language=huge,
            parts=(DocumentPart(huge, huge), DocumentPart("b", "more")),
            links=(DocumentLink("u", huge),) * (MOST_LINKS + 1),
            headings=(huge,) * (document_content.MOST_HEADINGS + 1),
        )
    )
    assert len(found.text) == MOST_CHARACTERS
    assert len(found.links) == MOST_LINKS
    assert len(found.headings) == document_content.MOST_HEADINGS
    assert max(map(len, (found.title, found.author, found.headings[0], found.links[0].text))) == LONGEST_FIELD
    assert len(found.warnings) == 2


def test_a_failure_reads_as_a_sentence() -> None:
    assert str(ReadingFailure("encrypted", "it needs a password")) == "encrypted: it needs a password"
    assert str(ReadingFailure("too slow")) == "too slow"
