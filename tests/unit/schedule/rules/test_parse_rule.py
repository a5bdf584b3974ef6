"""Rules as people write them, and a sentence for what is not understood."""

import pytest

from gossamer.errors import BadInput
from gossamer.schedule.rules.due_times import LAST_DAY, Calendar, Interval, Rule, SitemapChange
from gossamer.schedule.rules.parse_rule import parse_duration, parse_rule

THREE = (180,)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("every 6 hours", Interval(21_600)),
        ("Every hour", Interval(3_600)),
        ("every 10 seconds", Interval(10)),
        ("every 90 minutes", Interval(5_400)),
        ("every day at 3", Calendar(THREE)),
        ("every day at 3am and 3:30 pm", Calendar((180, 930))),
        ("every day at noon, 18:30", Calendar((720, 1110))),
        ("every 2 days at 3", Calendar(THREE, every_days=2)),
        ("every week", Calendar((0,), every_days=7)),
        ("every 2 weeks at 4", Calendar((240,), every_days=14)),
        ("every Monday at 3", Calendar(THREE, weekdays=frozenset({0}))),
        ("on Mondays at 3", Calendar(THREE, weekdays=frozenset({0}))),
        ("every mon and Fri at 3", Calendar(THREE, weekdays=frozenset({0, 4}))),
        ("every Monday, Wednesday and Friday at 3", Calendar(THREE, weekdays=frozenset({0, 2, 4}))),
        ("every weekday at 6 and 18:30", Calendar((360, 1110), weekdays=frozenset(range(5)))),
        ("every weekend at 3", Calendar(THREE, weekdays=frozenset({5, 6}))),
        ("on the 1st at 04:30", Calendar((270,), days=frozenset({1}))),
        ("on the 1st and 15th at 04:30", Calendar((270,), days=frozenset({1, 15}))),
        ("every month on the 2nd at 3", Calendar(THREE, days=frozenset({2}))),
        ("on the 1st of every month at 3", Calendar(THREE, days=frozenset({1}))),
        ("every month at 3", Calendar(THREE, days=frozenset({1}))),
        ("on the last day at 23", Calendar((1380,), days=frozenset({LAST_DAY}))),
        ("on 24 December at 8", Calendar((480,), days=frozenset({24}), months=frozenset({12}))),
        ("on December 24 at 8", Calendar((480,), days=frozenset({24}), months=frozenset({12}))),
        ("on the 1st of May and June at 8", Calendar((480,), days=frozenset({1}), months=frozenset({5, 6}))),
        ("when a sitemap changes", SitemapChange()),
        ("when the sitemap changes", SitemapChange()),
    ],
)
def test_rules_are_understood(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        *("", "sometimes", "every", "every 0 hours", "every day at 25", "every day at 3:60", "at 3"),
        *("every Montag at 3", "on the 32nd at 3", "on the 0th at 3", "every Monday and tomorrow at 3"),
        *("every day at 3 and", "every day at 13pm", "every -1 hours", "0 3 * * 1", "every 6 hours at 3"),
    ],
)
def test_what_is_no_rule_gets_a_sentence_that_says_what_is_understood(text: str) -> None:
    with pytest.raises(BadInput, match='is not a rule; understood are "every 6 hours"'):
        parse_rule(text)


def test_durations() -> None:
    assert parse_duration("90 minutes", "longest") == 5_400
    assert parse_duration("1.5 hours", "longest") == 5_400
    with pytest.raises(BadInput, match="longest is a duration such as"):
        parse_duration("soon", "longest")
