"""Patterns that could stop a crawl are found by texts that are written for them."""

import re

import msgspec
import pytest

from gossamer.config import Filters, TaskSpec
from gossamer.crawl.control.check_task import check_task
from gossamer.crawl.patterns import try_patterns as module
from gossamer.crawl.patterns.hostile_texts import TIMES, write_hostile_texts
from gossamer.crawl.patterns.try_patterns import SlowPattern, refuse_slow_patterns
from gossamer.errors import BadInput

RUNAWAYS = [
    "([^?]+)+[?]$",
    "(a+)+$",
    "(.*,)*x",
    "(a|a)*c",
    "(a|ab|b)*c",
    r"^https?://[^/]+/((\w+)/?)+$",
    r"(\d+|\w+)*!",
    "(x+x+)+y",
    "((a{1,30}){1,30})$",
    "(a?){30}b",
    r"(\s*\S+\s*)+;",
    r"(([a-z0-9]+-?)+\.)+com$",
    r"(?i)([A-Z]+)+\d",
    r"^(/?[\w-]+)*/$",
]
HARMLESS = [
    r"(/[a-z]+)+$",
    r"(?:[^/]+/)+index\.html",
    "(a|ab)*c",
    "(?>a+)+b",
    r"(?:\w+[-/])*\w+\.html$",
    r"(/[^/]+/?)+\.pdf$",
]
PLAIN = [
    "/calendar/",
    r"[?&]page=\d+",
    r"\.(jpg|png|gif)$",
    r"^https?://([^/]+\.)?example\.org/",
    r"/(19|20)\d\d/(0[1-9]|1[0-2])/",
    "^(?!.*(login|logout)).*$",
    ".*/foo/.*/bar/.*",
    "(?:a++)+b",
    "(([a-z]{2}){3})+x",
    "",
]


def with_pattern(pattern: str, option: str = "include") -> TaskSpec:
    filters = msgspec.convert({option: (pattern,)}, Filters)
    return TaskSpec(seeds=("https://example.org/",), filters=filters)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", RUNAWAYS)
def test_a_runaway_pattern_is_refused(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setattr(module, "MOST_CPU_S", 0.3)
    with pytest.raises(SlowPattern, match=re.escape(repr(pattern))) as caught:
        refuse_slow_patterns(with_pattern(pattern, "exclude"))
    assert caught.value.option == "exclude"


@pytest.mark.parametrize("pattern", HARMLESS)
def test_a_harmless_pattern_passes_although_it_looks_like_a_runaway_one(pattern: str) -> None:
    assert write_hostile_texts(pattern)
    refuse_slow_patterns(with_pattern(pattern))


@pytest.mark.parametrize("pattern", PLAIN)
def test_a_plain_pattern_needs_no_trial(pattern: str) -> None:
    assert write_hostile_texts(pattern) == []


def test_texts_repeat_what_the_pattern_matches_after_what_comes_before_it() -> None:
    texts = write_hostile_texts("^https://[^/]+/(x+)+$")
    assert "https://a/" + "x" * TIMES + "!" in texts


def test_texts_stay_short() -> None:
    nested = "(?:" * 50 + "a{40}" + "){2,}" * 50
    assert max(map(len, write_hostile_texts(nested)), default=0) < 20_000


@pytest.mark.slow
def test_a_task_with_a_runaway_pattern_is_refused_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CPU_S", 0.3)
    check_task(with_pattern(r"\.html$"))
    with pytest.raises(BadInput, match="takes too long"):
        check_task(with_pattern("([^/]+)+!"))


@pytest.mark.parametrize("pattern", ["(" * 3000 + "a" + ")" * 3000, "a{99999999999999}"])
def test_a_pattern_that_cannot_be_compiled_is_refused_in_a_sentence(pattern: str) -> None:
    with pytest.raises(BadInput, match="too many parts"):
        check_task(with_pattern(pattern))
