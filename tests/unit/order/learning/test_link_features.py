"""Features of links: numbers that are equal for equal values."""

from array import array

import pytest

from gossamer.order.learning import link_features as kinds
from gossamer.order.learning.link_features import extract_link_features, extract_page_features
from gossamer.records import Link

PAGE = "http://cs.example.edu/people/list.html"


def extract(link: Link, near: str = "", words: float = 0.0, page: str = PAGE) -> dict[int, set[int]]:
    """Return the features of a link by kind."""
    shared = extract_page_features(page, "Our staff", 0.2, 1, 2)
    (packed,) = extract_link_features(shared, page, [link], [near], [words])
    found: dict[int, set[int]] = {}
    for number in array("I", packed):
        found.setdefault(number >> 27, set()).add(number)
    return found


def is_same(kind: int, one: Link, other: Link) -> bool:
    return extract(one).get(kind) == extract(other).get(kind)


def test_words_are_compared_in_lower_case_and_numbers_by_their_length() -> None:
    home = "http://cs.example.edu/~ann/"
    assert is_same(kinds.ANCHOR, Link(home, text="Ann SMITH 1997"), Link(home, text="ann smith 2024"))
    assert not is_same(kinds.ANCHOR, Link(home, text="course 7"), Link(home, text="course 1997"))
    assert len(extract(Link(home, text="ann smith"))[kinds.ANCHOR]) == 2
    assert len(extract(Link(home, text="ann smith"))[kinds.ANCHOR_PAIR]) == 1


def test_the_members_of_a_list_have_the_same_shape_of_name() -> None:
    one, other = (Link(f"http://cs.example.edu/people/p{number}.html") for number in (7, 42))
    assert is_same(kinds.FOLDER_AND_SHAPE, one, other)
    assert is_same(kinds.FOLDER, one, other)
    assert not is_same(kinds.FOLDER_AND_SHAPE, one, Link("http://cs.example.edu/people/"))
    assert not is_same(kinds.FOLDER, one, Link("http://cs.example.edu/papers/p7.html"))


def test_links_to_the_folder_the_host_the_site_and_elsewhere_differ() -> None:
    targets = [
        "http://cs.example.edu/people/x",
        "http://cs.example.edu/x",
        "http://www.example.edu/x",
        "http://o.org/x",
    ]
    assert len({tuple(sorted(extract(Link(url))[kinds.NEIGHBOUR])) for url in targets}) == 4


def test_links_of_one_page_share_the_features_of_the_page() -> None:
    one, other = extract(Link("http://a.org/x")), extract(Link("http://b.org/y"))
    for kind in (kinds.SIBLINGS, kinds.PARENT_TITLE, kinds.PARENT_RELEVANCE, kinds.DEPTH, kinds.DISTANCE):
        assert one[kind] == other[kind]


def test_long_texts_and_invalid_urls_have_a_bounded_number_of_features() -> None:
    long = " ".join(f"word{number}" for number in range(500))
    for url in ("", "http://", "http://h", "http://h/?a=b", "\ud800", f"http://h/{long}"):
        found = extract(Link(url, text=long), near=long, words=1e9, page=url)
        assert sum(map(len, found.values())) <= 80


@pytest.mark.parametrize(
    ("odds", "like"),
    [(1e300, 8.0), (float("inf"), 8.0), (-1e300, -8.0), (float("-inf"), -8.0), (float("nan"), -8.0)],
)
def test_odds_beyond_any_integer_count_as_the_greatest_or_the_least(odds: float, like: float) -> None:
    link = Link("http://h.example/a")
    assert extract_link_features(b"", "http://h.example/", [link], [""], [odds]) == extract_link_features(
        b"", "http://h.example/", [link], [""], [like]
    )
