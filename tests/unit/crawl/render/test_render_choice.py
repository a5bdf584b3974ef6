"""Which pages are shown in a browser: by their signs, by what rendering gained before, and within a budget."""

import pytest
from tests.unit.crawl.render.test_page_signs import LINKS, WORDS, read_page

from gossamer.crawl.read_page import Reading
from gossamer.crawl.render.render_choice import (
    FREE_PAGES,
    LIKELY_TRIALS,
    RETRY_EVERY,
    TRIALS,
    Choice,
    RenderChoice,
    describe_shape,
    has_gained,
)

SHELL = "<div id=root></div><script src=/x.js></script>"
DOUBTFUL = f"<p>{WORDS}{LINKS}<script>fetch('/api')</script>"
FULL = f"<p>{WORDS}{LINKS}"


def visit(choices: RenderChoice, html: str, after: str = "", number: int = 1, share: float = 1.0) -> Choice:
    """Let a page be decided about and, if it is rendered, learnt from; `after` is what the browser shows."""
    reading, body = read_page(html, f"http://a.example/news/{number}")
    choice = choices.choose(reading, body, share)
    if choice.render:
        choices.learn(choice, reading, read_page(after or html)[0])
    return choice


@pytest.mark.parametrize(("html", "trials"), [(SHELL, LIKELY_TRIALS), (DOUBTFUL, TRIALS)])
def test_a_kind_that_gains_nothing_is_tried_some_times_and_then_seldom(html: str, trials: int) -> None:
    choices = RenderChoice()
    shown = [visit(choices, html, number=number).render for number in range(1, RETRY_EVERY + 10)]
    assert [number for number, each in enumerate(shown, 1) if each] == [*range(1, trials + 1), RETRY_EVERY]


@pytest.mark.parametrize("html", [SHELL, DOUBTFUL])
def test_a_kind_that_gains_is_rendered_on(html: str) -> None:
    choices = RenderChoice()
    after = f"{FULL}<a href=/new>n</a>"
    assert all(visit(choices, html, after, number).render for number in range(30))
    assert "rendering gained on 30 of 30 pages like it" in visit(choices, html, after).why


def test_doubtful_pages_under_way_count_as_trials() -> None:
    choices = RenderChoice()
    reading, body = read_page(DOUBTFUL)
    made = [choices.choose(reading, body, 1.0) for _ in range(TRIALS + 2)]
    assert [one.render for one in made] == [True] * TRIALS + [False] * 2
    choices.learn(made[0], reading, None)  # no browser could show it: that says nothing about its kind
    assert choices.choose(reading, body, 1.0).render


def test_kinds_are_of_one_host_sign_and_shape() -> None:
    choices = RenderChoice()
    for number in range(LIKELY_TRIALS + 2):
        visit(choices, SHELL, number=number)
    other, body = read_page(SHELL, "http://a.example/shop/1/2")
    assert choices.choose(other, body, 1.0).render
    assert describe_shape("http://a.example/news/2024/x?q=1#f") == describe_shape(
        "http://b.example/news/2023/y"
    )
    assert describe_shape("http://a.example/news/x") != describe_shape("http://a.example/shop/x")


def test_the_budget_is_a_share_of_all_pages() -> None:
    choices = RenderChoice()
    after = f"{FULL}<a href=/new>n</a>"
    made = [visit(choices, SHELL, after, number, share=0.2) for number in range(100)]
    assert sum(one.render for one in made) == FREE_PAGES + 100 * 0.2
    assert "--render-share" in made[-1].why


def test_links_or_clearly_more_text_are_a_gain() -> None:
    def of(html: str) -> Reading:
        return read_page(html)[0]

    assert has_gained(of(SHELL), of(f"{SHELL}<a href=/1>1</a>"))
    assert has_gained(of("<p>few words"), of(f"<p>{WORDS}"))
    assert not has_gained(of(f"{FULL}"), of(f"{FULL} one more word"))
    assert not has_gained(of(FULL), of(f"<p>{LINKS}"))
