"""What can be seen of a link: each trait is a number, the same for the same thing."""

from array import array

from gossamer.order import link_features as kinds
from gossamer.order.link_features import links_traits, page_traits
from gossamer.records import Link

PAGE = "http://cs.example.edu/people/list.html"


def seen(link: Link, near: str = "", words: float = 0.0, page: str = PAGE) -> dict[int, set[int]]:
    """Return the traits of a link by their kinds."""
    shared = page_traits(page, "Our staff", 0.2, 1, 2)
    (packed,) = links_traits(shared, page, [link], [near], [words])
    found: dict[int, set[int]] = {}
    for number in array("I", packed):
        found.setdefault(number >> 27, set()).add(number)
    return found


def alike(kind: int, one: Link, other: Link) -> bool:
    return seen(one).get(kind) == seen(other).get(kind)


def test_words_count_without_capitals_and_numbers_by_their_length() -> None:
    home = "http://cs.example.edu/~ann/"
    assert alike(kinds.ANCHOR, Link(home, text="Ann SMITH 1997"), Link(home, text="ann smith 2024"))
    assert not alike(kinds.ANCHOR, Link(home, text="course 7"), Link(home, text="course 1997"))
    assert len(seen(Link(home, text="ann smith"))[kinds.ANCHOR]) == 2
    assert len(seen(Link(home, text="ann smith"))[kinds.ANCHOR_PAIR]) == 1


def test_the_shape_of_a_name_is_the_same_for_all_members_of_a_list() -> None:
    one, other = (Link(f"http://cs.example.edu/people/p{number}.html") for number in (7, 42))
    assert alike(kinds.FOLDER_AND_SHAPE, one, other)
    assert alike(kinds.FOLDER, one, other)
    assert not alike(kinds.FOLDER_AND_SHAPE, one, Link("http://cs.example.edu/people/"))
    assert not alike(kinds.FOLDER, one, Link("http://cs.example.edu/papers/p7.html"))


def test_it_is_seen_whether_a_link_stays_on_its_host_its_site_or_leaves() -> None:
    targets = [
        "http://cs.example.edu/people/x",
        "http://cs.example.edu/x",
        "http://www.example.edu/x",
        "http://o.org/x",
    ]
    assert len({tuple(sorted(seen(Link(url))[kinds.NEIGHBOUR])) for url in targets}) == 4


def test_a_page_that_is_linked_from_many_shares_their_traits() -> None:
    one, other = seen(Link("http://a.org/x")), seen(Link("http://b.org/y"))
    for kind in (kinds.SIBLINGS, kinds.PARENT_TITLE, kinds.PARENT_RELEVANCE, kinds.DEPTH, kinds.DISTANCE):
        assert one[kind] == other[kind]


def test_long_texts_and_odd_urls_stay_within_bounds() -> None:
    long = " ".join(f"word{number}" for number in range(500))
    for url in ("", "http://", "http://h", "http://h/?a=b", "\ud800", f"http://h/{long}"):
        found = seen(Link(url, text=long), near=long, words=1e9, page=url)
        assert sum(map(len, found.values())) <= 80
