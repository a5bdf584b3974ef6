"""Why a crawl stands still, judged by a pretend clock."""

import asyncio
import math

import msgspec
import pytest

from gossamer.config import Fetching, Politeness
from gossamer.crawl.committing import Commits
from gossamer.crawl.events import Notice
from gossamer.crawl.keeping import Keeper
from gossamer.crawl.parts import Memory, Parts
from gossamer.crawl.watchdog import AGAIN_S, SLACK_S, STALL_S, Signs, Watchdog, diagnosis, longest_s
from gossamer.crawl.whereabouts import Step, Whereabouts
from gossamer.fetch.fake import FakeFetcher
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.pace import Pace
from gossamer.frontier.queue import Frontier
from gossamer.frontier.traps import TrapWatch
from gossamer.records import Request, Visit

NOON_S = 1_800_000_000.0
STILL = Signs(NOON_S, STALL_S + 5)


def at(step: Step, host: str = "a.example", since_s: float = NOON_S - 30, function: str = "") -> Whereabouts:
    return Whereabouts(Request(1, f"http://{host}/", host, 1), step, since_s, function)


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ({"writing_s": 25.0}, "a batch has been being written for 25 s"),
        ({"visits": (at("dns"),)}, "no name server has answered for a.example for 30 s"),
        ({"visits": (at("robots"),)}, "robots.txt of a.example has been awaited for 30 s"),
        ({"visits": (at("fetch"), at("fetch", "b.example"))}, "a.example, b.example have kept their answers"),
        ({"visits": tuple(at("fetch", f"{n}.example") for n in range(9))}, "2.example and 6 more have kept"),
        ({"visits": (at("web"),)}, "looked for in the web"),
        ({"visits": (at("work"),)}, "the visit to http://a.example/ has taken 30 s"),
        (
            {"visits": (at("function", function="ponder"),)},
            "ponder has not returned for 30 s from http://a.example/",
        ),
        ({"listener": "farewell"}, "farewell was told that a task has ended, and has not returned for 25 s"),
        ({"next_ready_s": NOON_S + 100}, "left in peace; the next may be asked at "),
    ],
)
def test_each_cause_is_named(signs: dict[str, object], said: str) -> None:
    found = diagnosis(msgspec.structs.replace(STILL, **signs))
    assert found is not None
    assert said in found.text


@pytest.mark.parametrize(
    "signs",
    [
        {"quiet_s": STALL_S - 1, "visits": (at("fetch"),)},
        {"full": True, "writing_s": 100.0},
        {"next_ready_s": NOON_S - 1},
        {},
    ],
)
def test_who_goes_on_or_is_known_to_wait_is_left_alone(signs: dict[str, object]) -> None:
    assert diagnosis(msgspec.structs.replace(STILL, **signs)) is None


def test_what_most_visits_wait_for_is_said_first() -> None:
    visits = (at("robots"), at("fetch", "b.example"), at("fetch", "c.example"))
    found = diagnosis(msgspec.structs.replace(STILL, visits=visits))
    assert found is not None
    assert found.cause == "fetch robots"
    assert found.text.index("b.example") < found.text.index("robots.txt")


def test_a_visit_may_take_as_long_as_its_limits_and_some_slack() -> None:
    settings = Fetching(connect_time_s=10.0, page_time_s=60.0)
    assert longest_s("dns", settings) == 10.0 + SLACK_S
    assert longest_s("fetch", settings) == 80.0 + SLACK_S
    assert longest_s("robots", settings) > 5 * longest_s("fetch", settings)
    assert longest_s("function", settings) > 10 * 60


class Pretence:
    """A shard's parts that do nothing, a clock that is turned by hand, and what was said."""

    def __init__(self) -> None:
        self.now_s = NOON_S
        self.said: list[str] = []
        fetcher = FakeFetcher({})
        robots = RobotsCache(fetcher, self.clock)
        memory = Memory(lambda _: None, None, 0, -math.inf)  # type: ignore[arg-type]
        self.parts = Parts(Frontier(), fetcher, robots, TrapWatch(), self.clock, self.hear, memory)
        commits = Commits(self.parts, Keeper(None, None), lambda: None, lambda: False)  # type: ignore[arg-type]
        self.watchdog = Watchdog(self.parts, commits, set())

    def clock(self) -> float:
        return self.now_s

    def hear(self, event: object) -> None:
        assert isinstance(event, Notice)
        self.said.append(event.text)

    def after(self, time_s: float) -> list[str]:
        """Let time pass and the watchdog look; return what it says."""
        self.now_s += time_s
        before = len(self.said)
        asyncio.run(self.watchdog.look())
        return self.said[before:]


def test_a_cause_is_told_once_in_a_while_and_its_end_as_well() -> None:
    pretence = Pretence()
    frontier = pretence.parts.frontier
    frontier.welcome(1, 1.0, Politeness())
    frontier.meet("a.example", Pace(ready_s=NOON_S + 86_400))
    frontier.add([Request(1, "http://a.example/", "a.example", 1)])
    assert pretence.after(0.0) == []
    assert pretence.after(STALL_S - 1) == []
    [told] = pretence.after(2.0)
    assert "left in peace" in told
    assert pretence.after(AGAIN_S - 1) == []
    assert pretence.after(2.0) == [told]
    pretence.parts.filling.batch.visits.append(Visit(1, 1, pretence.now_s, "fetched"))
    assert pretence.after(1.0) == [f"the crawl goes on, after {AGAIN_S + STALL_S + 3:.0f} s"]
    assert pretence.after(1.0) == []
