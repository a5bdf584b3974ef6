import pytest
from tests.unit.search.texts import library

from gossamer.records import Page
from gossamer.search.index.index_status import IndexStatus, find_status
from gossamer.search.links.static_rank import make_ranks


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "not yet"),
        ({"index": False}, "noindex"),
        ({"kind": "video"}, "no text"),
        ({"status": 404}, "an error page"),
    ],
)
def test_the_status_says_why_a_page_is_not_indexed(given: dict[str, object], verdict: str) -> None:
    facts = {"status": 200, "kind": "html"} | given
    page = Page(99, "https://a.example/", "a.example", 1, 0, 1.0, **facts)  # type: ignore[arg-type]
    assert find_status(library(), page) == IndexStatus(verdict)  # type: ignore[arg-type]


def test_the_status_has_the_static_rank() -> None:
    index = library()
    index.set_ranks(make_ranks([1, 2], [0.5, 0.5], [4, 0]))
    page = Page(1, "https://a.example/", "a.example", 1, 0, 1.0, 200, "html")
    assert find_status(index, page) == IndexStatus("in the index", 1.0, 4)
