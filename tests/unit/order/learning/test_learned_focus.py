"""The default focus: the text around links, and what changes the worth of a link."""

import pytest
from tests.unit.order.guides import StubTopic, make_links, make_request

from gossamer.order.learning.learned_focus import LearnedTerm, find_nearby_text
from gossamer.order.terms.order_term import PageView
from gossamer.records import Link

HOME = "http://h.org/"


def make_page(relevance: float = 0.0, distance: int = 1, depth: int = 0) -> PageView:
    return PageView(make_request(HOME, depth=depth), "Home", "", relevance, distance, 0.5)


def test_the_text_around_links_is_found_in_page_order() -> None:
    text = "See more of Ann here. See more of Bob there."
    near = find_nearby_text(
        text, [Link("a", text="more"), Link("b", text="more of Bob"), Link("c", text="nowhere")]
    )
    assert near == ["See   of Ann here. See more of Bob there.", "See more of Ann here. See   there.", ""]
    assert find_nearby_text("", [Link("a")]) == [""]


def test_relevance_of_the_page_raises_the_score_and_depth_and_distance_lower_it() -> None:
    def score(page: PageView) -> float:
        return LearnedTerm(StubTopic({}), tunnel=2).score_links(page, make_links("http://h.org/x"))[0]

    plain = score(make_page())
    assert score(make_page(relevance=1.0, distance=0)) > plain
    assert score(make_page(depth=3)) < plain
    assert score(make_page(distance=2)) == pytest.approx(plain, rel=0.01), "the tunnel may be this long"
    assert score(make_page(distance=3)) == pytest.approx(plain / 2, rel=0.1), (
        "each further page halves the score"
    )


def test_a_negative_tunnel_allows_any_number_of_pages_off_the_topic() -> None:
    values = [
        LearnedTerm(StubTopic({}), -1).score_links(make_page(distance=far), make_links("http://h.org/x"))[0]
        for far in (1, 50)
    ]
    assert values[0] == values[1]


def test_links_of_an_earlier_run_promise_nothing_for_their_page() -> None:
    term = LearnedTerm(StubTopic({}), 4)
    page = make_page()
    term.score_links(page, make_links("http://h.org/x"))
    term.record_visit(page.request, None)
    assert term.pack_changes() == b"", "no link to it was followed"
