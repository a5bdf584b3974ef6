"""Which pages are shown in a browser: by their signs, by what rendering gained before, and within a budget."""

import pytest
from tests.unit.crawl.render.test_page_signs import LINKS, WORDS, read_page

from gossamer.crawl.read_page import Reading
from gossamer.crawl.render.render_choice import (
    FREE_PAGES,
    GAINS_FOR_A_TRIAL,
    LIKELY_TRIALS,
    MISLED_AFTER,
    PAGES_FOR_A_TRIAL,
    RETRY_AFTER,
    TRIALS,
    Choice,
    RenderChoice,
    describe_shape,
    has_gained,
)

SHELL = "<div id=root></div><script src=/x.js></script>"
DOUBTFUL = f"<p>Some words{LINKS}<script>fetch('/api')</script>"
ARTICLE = f"<p>{WORDS}{LINKS}<script>fetch('/api')</script>"
FULL = f"<p>{WORDS}{LINKS}"


def visit(
    choices: RenderChoice,
    html: str,
    after: str = "",
    number: int = 1,
    share: float = 1.0,
    host: str = "a.example",
) -> Choice:
    """Let a page be decided about and, if it is rendered, learnt from; `after` is what the browser shows."""
    url = f"http://{host}/news/{number}"
    reading, body = read_page(html, url)
    choice = choices.choose(reading, body, share)
    if choice.render:
        choices.learn(choice, reading, read_page(after or html, url)[0])
    return choice


def list_shown(choices: RenderChoice, html: str, pages: int) -> list[int]:
    """Visit so many pages of a kind that gains nothing; return the numbers of those that are rendered."""
    return [number for number in range(1, pages + 1) if visit(choices, html, number=number).render]


def test_a_likely_kind_that_gains_nothing_is_tried_some_times_and_then_ever_more_seldom() -> None:
    shown = list_shown(RenderChoice(), SHELL, 5 * RETRY_AFTER)
    assert shown == [*range(1, LIKELY_TRIALS + 1), RETRY_AFTER, 2 * RETRY_AFTER, 4 * RETRY_AFTER]


@pytest.mark.parametrize(("html", "free"), [(DOUBTFUL, TRIALS), (ARTICLE, 0)])
def test_doubtful_pages_of_a_web_that_needs_no_browser_are_hardly_ever_tried(html: str, free: int) -> None:
    choices = RenderChoice()
    shown = sum(visit(choices, html, number=number, host=f"{number}.example").render for number in range(200))
    assert shown == free
    choices.pages = PAGES_FOR_A_TRIAL
    assert visit(choices, html, host="new.example").render
    assert not visit(choices, html, host="newer.example").render


def test_trials_of_doubtful_pages_are_paid_by_gains_on_others() -> None:
    choices = RenderChoice()
    after = f"{FULL}<a href=/new>n</a>"
    assert not visit(choices, ARTICLE).render
    for number in range(GAINS_FOR_A_TRIAL):
        assert visit(choices, SHELL, after, number).render
    assert visit(choices, ARTICLE, after, host="b.example").why == "scripts that may build content; a trial"
    # A trial that gains costs nothing: the next kind is tried, too.
    assert visit(choices, ARTICLE, host="c.example").render
    refused = visit(choices, ARTICLE, host="d.example")
    assert refused.why == "scripts that may build content; rendering gained too little to try such pages"
    assert visit(choices, ARTICLE, after, 2, host="b.example").render


def test_a_likely_sign_that_misleads_is_tried_once_for_each_further_kind() -> None:
    choices = RenderChoice()
    tried = [
        sum(visit(choices, SHELL, number=number, host=f"{host}.example").render for number in range(10))
        for host in range(4)
    ]
    assert MISLED_AFTER == 2 * LIKELY_TRIALS
    assert tried == [LIKELY_TRIALS, LIKELY_TRIALS, 1, 1]


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
    assert [one.lacks_budget for one in made] == [not one.render for one in made]


def test_links_or_clearly_more_text_are_a_gain() -> None:
    def of(html: str) -> Reading:
        return read_page(html)[0]

    assert has_gained(of(SHELL), of(f"{SHELL}<a href=/1>1</a>"))
    assert has_gained(of("<p>few words"), of(f"<p>{WORDS}"))
    assert not has_gained(of(f"{FULL}"), of(f"{FULL} one more word"))
    assert not has_gained(of(FULL), of(f"<p>{LINKS}"))
    # One further link among a hundred is less than what a crawl without it would miss.
    many = FULL + "".join(f"<a href=/m{number}>m</a>" for number in range(100))
    assert not has_gained(of(many), of(f"{many}<a href=/new>n</a>"))
    assert has_gained(of(many), of(f"{many}<a href=/new>n</a><a href=/x>x</a><a href=/y>y</a>"))
