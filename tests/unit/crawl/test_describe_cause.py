from typing import get_args

import pytest

from gossamer.crawl.describe_cause import CAUSES, RULES, describe_cause, describe_detail
from gossamer.records import FailureCause, RefusalCause


def test_every_cause_of_the_crawl_has_a_description() -> None:
    for cause in (*get_args(FailureCause), *get_args(RefusalCause)):
        assert cause in CAUSES or cause in RULES


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        ("404", "the server answered 404"),
        ("dns", "its host has no address"),
        ("scope", "outside the task's scope"),
        ("no_calendar", "by 'no_calendar'"),
    ],
)
def test_causes_are_described(cause: str, sentence: str) -> None:
    assert describe_cause(cause) == sentence


@pytest.mark.parametrize(
    ("detail", "sentence"),
    [
        ("status: 404", "the server answered 404"),
        ("reset: Recv failure", "the connection was reset: Recv failure"),
        ("robots", "robots.txt forbids it"),
        ("seen before: http://a.example/", "seen before: http://a.example/"),
        ("", ""),
    ],
)
def test_what_a_visit_noted_is_described(detail: str, sentence: str) -> None:
    assert describe_detail(detail) == sentence
