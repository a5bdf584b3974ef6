import pytest
from tests.unit.search.texts import library

from gossamer.records import Page
from gossamer.search.index.index_status import Presence, presence
from gossamer.search.links.static_rank import standing_of


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ({}, "not yet"),
        ({"index": False}, "noindex"),
        ({"kind": "pdf"}, "no text"),
        ({"status": 404}, "an error page"),
    ],
)
def test_it_says_why_a_page_is_not_found(told: dict[str, object], verdict: str) -> None:
    facts = {"status": 200, "kind": "html"} | told
    page = Page(99, "https://a.example/", "a.example", 1, 0, 1.0, **facts)  # type: ignore[arg-type]
    assert presence(library(), page) == Presence(verdict)  # type: ignore[arg-type]


def test_it_says_how_a_page_stands() -> None:
    index = library()
    index.take_standing(standing_of([1, 2], [0.5, 0.5], [4, 0]))
    page = Page(1, "https://a.example/", "a.example", 1, 0, 1.0, 200, "html")
    assert presence(index, page) == Presence("in the index", 1.0, 4)
