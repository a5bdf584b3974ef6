from gossamer.documents.document_content import DocumentContent, DocumentLink, DocumentPart
from gossamer.documents.render_html import render, to_page
from gossamer.net.main_text.text_blocks import blocks

HOSTILE = '"><script>alert(1)</script>&amp;'


def test_a_document_becomes_the_page_that_it_would_be() -> None:
    content = DocumentContent(
        title="Lanterns",
        parts=(DocumentPart("page 1", "One.\nTwo."), DocumentPart("page 2", "Three.")),
        links=(DocumentLink("../next#x", "next"), DocumentLink("javascript:alert(1)", "no")),
        headings=("Lanterns",),
        language="en",
        author="Ada",
    )
    page = to_page(content, "http://a.example/b/doc.pdf")
    assert (page.title, page.text, page.lang, page.author) == ("Lanterns", "One.\nTwo.\nThree.", "en", "Ada")
    assert [(link.url, link.text) for link in page.links] == [("http://a.example/next", "next")]
    assert [heading.text for heading in page.headings] == ["Lanterns"]
    assert [block.text for block in blocks(page)][:3] == ["One.", "Two.", "Three."]


def test_hostile_text_stays_text() -> None:
    content = DocumentContent(
        title=HOSTILE,
        author=HOSTILE,
        language=HOSTILE,
        parts=(DocumentPart(HOSTILE, HOSTILE),),
        links=(DocumentLink(HOSTILE, HOSTILE),),
    )
    assert "<script" not in render(content)
    page = to_page(content, "http://a.example/")
    assert page.title == HOSTILE
    assert page.text == HOSTILE


def test_the_number_of_links_is_limited() -> None:
    content = DocumentContent(links=tuple(DocumentLink(f"/{at}") for at in range(10)))
    page = to_page(content, "http://a.example/", most_links=3)
    assert (len(page.links), page.links_cut) == (3, 7)
