from tests.unit.search.texts import entry

from gossamer.search.field_weights import WEIGHTS
from gossamer.search.index.document_fields import list_domains, list_mark_names, make_document, strip_address
from gossamer.search.terms.analysis import TermTables


def test_domains_of_hosts_and_words_of_addresses() -> None:
    assert list_domains("a.b.example.org:8080") == [
        "a.b.example.org:8080",
        "a.b.example.org",
        "b.example.org",
        "example.org",
    ]
    assert list_domains("127.0.0.1:80") == ["127.0.0.1:80", "127.0.0.1"]
    assert list_domains("localhost") == ["localhost"]
    assert strip_address("http://www.a.example/caf%C3%A9/x.html").split() == ["a.example/café/x"]


def test_marks_have_names_and_values() -> None:
    assert list_mark_names({"Topic": "Music"}) == ["topic", "topic=music"]
    assert len(list_mark_names({"a": "b" * 500})[1]) == 100


def test_important_texts_are_repeated() -> None:
    page = entry(
        1,
        title="Donaudampfschiff",
        headings=("Kessel",),
        main="Ruder",
        anchors=("Boot", "Boot"),
        language="de",
    )
    fields = make_document(page, WEIGHTS, TermTables()).to_dict()
    anchors = ["boot", "boot"] * WEIGHTS.anchors_times
    assert fields["words"] == ["donaudampfschiff"] * WEIGHTS.title_times + ["kessel", "ruder", *anchors]
    assert "schiff" in fields["parts"][0].split()
    english = entry(1, main="steamboat", language="en")
    assert "parts" not in make_document(english, WEIGHTS, TermTables()).to_dict()


def test_words_outside_the_text_count_only_if_they_are_nowhere_else() -> None:
    page = entry(
        1, title="Haydn", main="Quartets", rest="imprint quartets", url="http://a.example/haydn/opus.html"
    )
    fields = make_document(page, WEIGHTS, TermTables()).to_dict()
    assert fields["extra"] == ["imprint a example opus"]
    assert (fields["rest"], fields["url"]) == (["imprint quartets"], ["a example haydn opus"])
