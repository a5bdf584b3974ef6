"""Links stored as columns behave like a sequence of links."""

import pytest

from gossamer.net.html.link_columns import PageLinks
from gossamer.records import Link

FIRST = Link("http://h.example/", "link", rel="canonical")
SECOND = Link("http://h.example/two", text="Two", title="the second")
THIRD = Link("http://h.example/three", "frame", "Three", "nofollow")


def test_columns_return_the_links_they_were_made_from() -> None:
    links = PageLinks.from_links([FIRST, SECOND, THIRD])
    assert list(links) == [FIRST, SECOND, THIRD]
    assert len(links) == 3
    assert links[1] == SECOND
    assert links[-1] == THIRD
    assert links[1:] == (SECOND, THIRD)
    assert SECOND in links
    assert links.index(THIRD) == 2
    assert list(reversed(links)) == [THIRD, SECOND, FIRST]
    assert PageLinks.from_links(links) is links
    assert eval(repr(links)) == links  # noqa: S307 - our own words


def test_columns_equal_any_sequence_of_the_same_links() -> None:
    links = PageLinks.from_links((FIRST, SECOND))
    assert links == (FIRST, SECOND)
    assert links == PageLinks.from_links([FIRST, SECOND])
    assert hash(links) == hash(PageLinks.from_links([FIRST, SECOND]))
    assert links != (SECOND, FIRST)
    assert links != "no links"
    assert links != 2


def test_links_are_added_at_the_end() -> None:
    links = PageLinks.from_links(())
    assert not links
    links.append(THIRD)
    assert links == (THIRD,)
    with pytest.raises(IndexError):
        links[1]
