"""Which pages a second check visits again because of their broken links."""

from gossamer.link_check.check_site import choose_sources
from gossamer.link_check.problem import Problem
from gossamer.net.url import page_id


def make_problems(target: str, pages: range) -> list[Problem]:
    return [Problem("broken", target, f"http://a.example/{number}", 404) for number in pages]


def test_few_pages_with_a_broken_link_are_all_visited_again() -> None:
    samples, others = choose_sources(make_problems("http://a.example/gone", range(20)))
    assert samples == {page_id(f"http://a.example/{number}") for number in range(20)}
    assert others == {}


def test_many_pages_with_one_broken_link_have_samples() -> None:
    problems = make_problems("http://a.example/menu", range(1_700))
    problems += make_problems("http://a.example/other", range(1, 3))
    samples, others = choose_sources(problems)
    every = {page_id(f"http://a.example/{number}") for number in range(1_700)}
    assert len(samples) <= 22
    assert {page_id("http://a.example/1"), page_id("http://a.example/2")} <= samples
    assert set().union(*others.values()) == every - samples, "a changed sample leads to all others"


def test_without_problems_nothing_is_visited() -> None:
    assert choose_sources([]) == (set(), {})
