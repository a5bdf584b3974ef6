"""The focus of Schmitz 2001 by its own example, and how the other kinds of focus differ."""

import pytest
from tests.unit.order.guides import StubTopic, make_request, visit

from gossamer.order.link_guide import Guide, GuideOptions
from gossamer.order.order_expression import parse_order
from gossamer.order.terms.topic_focus import Focus, RelevanceFactor, follows_links

STANFORD = "http://www.cs.stanford.edu/"
BERKELEY = "http://www.cs.berkeley.edu/"
YAHOO = "http://www.yahoo.com/"
FIGURE_3_2 = StubTopic({STANFORD: 0.95, BERKELEY: 1.0, YAHOO: 0.0})


def make_guide(focus: Focus, tunnel: int = 0, topic: StubTopic = FIGURE_3_2) -> Guide:
    return Guide(GuideOptions(parse_order("topic"), topic, focus, tunnel))


def test_figure_3_2_of_schmitz_2001() -> None:
    guide = make_guide("seed")
    expected = visit(guide, make_request(STANFORD, depth=0), BERKELEY, YAHOO)
    assert expected == {BERKELEY: 0.475, YAHOO: 0.475}, "the estimate before they are read"
    relevant = visit(guide, make_request(BERKELEY, STANFORD), "http://www.cs.berkeley.edu/a")
    assert relevant == {"http://www.cs.berkeley.edu/a": 0.5}
    assert visit(guide, make_request(YAHOO, STANFORD), "http://www.yahoo.com/a") == {}, (
        "its links are not followed"
    )


def test_the_focus_seed_follows_only_links_of_pages_above_its_threshold() -> None:
    assert follows_links("seed", 0.91, 0, 0, 1)
    assert not follows_links("seed", 0.9, 0, 0, 1)


def test_hard_focus_follows_links_within_its_tunnel() -> None:
    assert follows_links("hard", 0.6, 0, 0, 3)
    assert not follows_links("hard", 0.2, 1, 0, 3)
    assert follows_links("hard", 0.2, 1, 1, 3)
    assert not follows_links("hard", 0.2, 2, 1, 3)
    assert follows_links("hard", 0.0, 9, 0, 0), "links of start pages are followed"


@pytest.mark.parametrize("focus", ["soft", "learn"])
def test_soft_focus_follows_everything(focus: Focus) -> None:
    assert follows_links(focus, 0.0, 50, 0, 7)


def test_soft_focus_prefers_links_of_relevant_pages() -> None:
    guide = make_guide("soft")
    good = visit(guide, make_request(BERKELEY, depth=0), "http://a.org/")
    bad = visit(guide, make_request(YAHOO, depth=0), "http://b.org/")
    assert good["http://a.org/"] > 0.4 > bad["http://b.org/"]


def test_the_factor_is_learnt_from_pages_that_relevant_pages_led_to() -> None:
    factor = RelevanceFactor()
    assert factor.value == 0.5
    for _ in range(200):
        factor.learn(1.0, 0.9)
    assert factor.value == pytest.approx(0.88, abs=0.01)
    again = RelevanceFactor()
    again.load(factor.pack())
    assert again.value == factor.value


def test_the_focus_seed_never_changes_its_factor() -> None:
    guide = make_guide("seed", topic=StubTopic({f"http://a.org/{n}": 1.0 for n in range(30)}))
    for n in range(20):
        visit(guide, make_request(f"http://a.org/{n}", f"http://a.org/{n - 1}"), f"http://a.org/{n + 1}")
    assert visit(guide, make_request("http://a.org/25"), "http://a.org/x") == {"http://a.org/x": 0.5}
