"""Why a crawl has stalled, judged from its visible state."""

import msgspec
import pytest

from gossamer.config import Fetching
from gossamer.crawl.loop.stall_reasons import SLACK_S, CrawlSigns, diagnose, step_limit_s
from gossamer.crawl.loop.visit_step import Step, VisitState
from gossamer.crawl.loop.watchdog import STALL_S
from gossamer.records import Request

NOON_S = 1_800_000_000.0
STILL = CrawlSigns(NOON_S, STALL_S + 5)


def at(step: Step, host: str = "a.example", since_s: float = NOON_S - 30, function: str = "") -> VisitState:
    return VisitState(Request(1, f"http://{host}/", host, 1), step, since_s, function)


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ({"writing_s": 25.0}, "writing a batch has taken 25 s"),
        ({"visits": (at("dns"),)}, "no name server has answered for a.example for 30 s"),
        ({"visits": (at("robots"),)}, "no robots.txt has come from a.example for 30 s"),
        (
            {"visits": (at("fetch"), at("fetch", "b.example"))},
            "no answer has come from a.example, b.example for 30 s",
        ),
        ({"visits": tuple(at("fetch", f"{n}.example") for n in range(9))}, "2.example and 6 more for"),
        ({"visits": (at("web"),)}, "reading stored pages of a.example"),
        ({"visits": (at("work"),)}, "the visit to http://a.example/ has taken 30 s"),
        (
            {"visits": (at("function", function="ponder"),)},
            "ponder has not returned for 30 s from http://a.example/",
        ),
        ({"listener": "farewell"}, "farewell was called at the end of a task and has not returned for 25 s"),
        ({"next_ready_s": NOON_S + 100}, "in their pause; the next may be asked at "),
    ],
)
def test_each_cause_is_named(signs: dict[str, object], said: str) -> None:
    found = diagnose(msgspec.structs.replace(STILL, **signs), STALL_S)
    assert found is not None
    assert said in found.text


@pytest.mark.parametrize(
    "signs",
    [
        {"quiet_s": STALL_S - 1, "visits": (at("fetch"),)},
        {"full": True, "writing_s": 100.0},
        {"next_ready_s": NOON_S - 1},
        {"next_ready_s": NOON_S + 100, "under_way": 1},
        {},
    ],
)
def test_who_goes_on_or_is_known_to_wait_is_left_alone(signs: dict[str, object]) -> None:
    assert diagnose(msgspec.structs.replace(STILL, **signs), STALL_S) is None


def test_what_most_visits_wait_for_is_said_first() -> None:
    visits = (at("robots"), at("fetch", "b.example"), at("fetch", "c.example"))
    found = diagnose(msgspec.structs.replace(STILL, visits=visits), STALL_S)
    assert found is not None
    assert found.cause == "fetch robots"
    assert found.text.index("b.example") < found.text.index("robots.txt")


def test_a_visit_may_take_as_long_as_its_limits_and_some_slack() -> None:
    settings = Fetching(connect_time_s=10.0, page_time_s=60.0)
    assert step_limit_s("dns", settings) == 10.0 + SLACK_S
    assert step_limit_s("fetch", settings) == 80.0 + SLACK_S
    assert step_limit_s("robots", settings) > 5 * step_limit_s("fetch", settings)
    assert step_limit_s("function", settings) > 10 * 60
