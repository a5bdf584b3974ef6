from tests.unit.search.texts import entry

from gossamer.search.field_weights import WEIGHTS
from gossamer.search.index.document_fields import address_words, document_of, domains, mark_names


def test_names_of_hosts_and_words_of_addresses() -> None:
    assert domains("a.b.example.org:8080") == [
        "a.b.example.org:8080",
        "a.b.example.org",
        "b.example.org",
        "example.org",
    ]
    assert domains("127.0.0.1:80") == ["127.0.0.1:80", "127.0.0.1"]
    assert domains("localhost") == ["localhost"]
    assert address_words("http://www.a.example/caf%C3%A9/x.html").split() == ["a.example/café/x"]


def test_marks_have_names_and_values() -> None:
    assert mark_names({"Topic": "Music"}) == ["topic", "topic=music"]
    assert len(mark_names({"a": "b" * 500})[1]) == 100


def test_what_counts_more_stands_there_more_often() -> None:
    page = entry(
        1,
        title="Donaudampfschiff",
        headings=("Kessel",),
        main="Ruder",
        anchors=("Boot", "Boot"),
        language="de",
    )
    told = document_of(page, WEIGHTS).to_dict()
    assert told["words"] == ["donaudampfschiff"] * WEIGHTS.title_times + ["kessel", "rud"]
    assert (told["anchors"], "schiff" in told["parts"][0].split()) == (["boot", "boot"], True)
    assert "parts" not in document_of(entry(1, main="steamboat", language="en"), WEIGHTS).to_dict()
