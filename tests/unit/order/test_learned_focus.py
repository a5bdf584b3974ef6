"""The default focus: what it sees around links, and what adds to their worth."""

import pytest
from tests.unit.order.guides import Told, new, requested

from gossamer.order.learned_focus import Learnt, neighbourhoods
from gossamer.order.order_term import Read
from gossamer.records import Link

HOME = "http://h.org/"


def read(relevance: float = 0.0, distance: int = 1, depth: int = 0) -> Read:
    return Read(requested(HOME, depth=depth), "Home", "", relevance, distance, 0.5)


def test_what_stands_around_a_link_is_found_in_page_order() -> None:
    text = "See more of Ann here. See more of Bob there."
    near = neighbourhoods(
        text, [Link("a", text="more"), Link("b", text="more of Bob"), Link("c", text="nowhere")]
    )
    assert near == ["See   of Ann here. See more of Bob there.", "See more of Ann here. See   there.", ""]
    assert neighbourhoods("", [Link("a")]) == [""]


def test_relevance_of_the_page_raises_and_depth_and_long_ways_lower_what_a_link_is_worth() -> None:
    def worth(page: Read) -> float:
        return Learnt(Told({}), tunnel=2).found(page, new("http://h.org/x"))[0]

    plain = worth(read())
    assert worth(read(relevance=1.0, distance=0)) > plain
    assert worth(read(depth=3)) < plain
    assert worth(read(distance=2)) == pytest.approx(plain, rel=0.01), "a tunnel may be so long"
    assert worth(read(distance=3)) == pytest.approx(plain / 2, rel=0.1), "and each page more halves it"


def test_any_number_of_pages_may_be_off_the_topic_if_that_is_wanted() -> None:
    values = [Learnt(Told({}), -1).found(read(distance=far), new("http://h.org/x"))[0] for far in (1, 50)]
    assert values[0] == values[1]


def test_links_that_are_known_again_promise_nothing_for_their_page() -> None:
    learnt = Learnt(Told({}), 4)
    page = read()
    learnt.found(page, new("http://h.org/x"))
    learnt.visited(page.request, None)
    assert learnt.changes() == b"", "nobody has followed a link to it"
