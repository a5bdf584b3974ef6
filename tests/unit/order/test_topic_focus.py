"""The seed's focus by its own example, and how the others differ."""

import pytest
from tests.unit.order.guides import Told, requested, visit

from gossamer.order.link_guide import Guide, Steering
from gossamer.order.order_expression import mixture_of
from gossamer.order.topic_focus import Factor, Focus, keeps_links

STANFORD = "http://www.cs.stanford.edu/"
BERKELEY = "http://www.cs.berkeley.edu/"
YAHOO = "http://www.yahoo.com/"
FIGURE_3_2 = Told({STANFORD: 0.95, BERKELEY: 1.0, YAHOO: 0.0})


def guided(focus: Focus, tunnel: int = 0, topic: Told = FIGURE_3_2) -> Guide:
    return Guide(Steering(mixture_of("topic"), topic, focus, tunnel))


def test_figure_3_2_of_seed_002() -> None:
    guide = guided("seed")
    expected = visit(guide, requested(STANFORD, depth=0), BERKELEY, YAHOO)
    assert expected == {BERKELEY: 0.475, YAHOO: 0.475}, "the estimate before they are read"
    relevant = visit(guide, requested(BERKELEY, STANFORD), "http://www.cs.berkeley.edu/a")
    assert relevant == {"http://www.cs.berkeley.edu/a": 0.5}
    assert visit(guide, requested(YAHOO, STANFORD), "http://www.yahoo.com/a") == {}, (
        "its links are not followed"
    )


def test_the_seed_follows_links_of_pages_above_its_threshold_only() -> None:
    assert keeps_links("seed", 0.91, 0, 0, 1)
    assert not keeps_links("seed", 0.9, 0, 0, 1)


def test_hard_focus_passes_as_many_pages_as_its_tunnel_is_long() -> None:
    assert keeps_links("hard", 0.6, 0, 0, 3)
    assert not keeps_links("hard", 0.2, 1, 0, 3)
    assert keeps_links("hard", 0.2, 1, 1, 3)
    assert not keeps_links("hard", 0.2, 2, 1, 3)
    assert keeps_links("hard", 0.0, 9, 0, 0), "from start pages the way is open"


@pytest.mark.parametrize("focus", ["soft", "learn"])
def test_soft_focus_follows_everything(focus: Focus) -> None:
    assert keeps_links(focus, 0.0, 50, 0, 7)


def test_soft_focus_prefers_links_of_relevant_pages() -> None:
    guide = guided("soft")
    good = visit(guide, requested(BERKELEY, depth=0), "http://a.org/")
    bad = visit(guide, requested(YAHOO, depth=0), "http://b.org/")
    assert good["http://a.org/"] > 0.4 > bad["http://b.org/"]


def test_the_factor_is_learnt_from_what_relevant_pages_led_to() -> None:
    factor = Factor()
    assert factor.value == 0.5
    for _ in range(200):
        factor.learn(1.0, 0.9)
    assert factor.value == pytest.approx(0.88, abs=0.01)
    again = Factor()
    again.recall(factor.packed())
    assert again.value == factor.value


def test_the_seed_keeps_its_factor_whatever_happens() -> None:
    guide = guided("seed", topic=Told({f"http://a.org/{n}": 1.0 for n in range(30)}))
    for n in range(20):
        visit(guide, requested(f"http://a.org/{n}", f"http://a.org/{n - 1}"), f"http://a.org/{n + 1}")
    assert visit(guide, requested("http://a.org/25"), "http://a.org/x") == {"http://a.org/x": 0.5}
