import msgspec
import pytest

from gossamer.crawl.describe_cause import CAUSES, RULES
from gossamer.crawl.explain.explain_url import FoundOn, InTask, Waiting
from gossamer.crawl.explain.suggest_change import suggest_change
from gossamer.crawl.explain.task_timeline import tell_task
from gossamer.records import Decision, Visit

FETCHED = InTask(
    "news",
    1,
    "running",
    "",
    "fetched",
    start_page=True,
    scheduled=True,
    robots_allow=True,
    visits=[
        Visit(7, 1, 200.0, "fetched", 200, took_s=0.5, body_bytes=10, warc="a.warc.gz", warc_offset=3),
        Visit(7, 1, 100.0, "failed", 503, "status", "503"),
    ],
    decisions=[Decision(7, 1, 150.0, "content seen", "as on\x1b[2J http://a.example/")],
    found_on=[FoundOn("http://a.example/", "a", "text", False, 1)],
    found_links=1,
)


def test_a_story_goes_from_discovery_to_now() -> None:
    story = tell_task(FETCHED, 1_000.0)
    assert [step.name for step in story.steps] == [
        *("found", "found", "scheduled", "robots.txt", "failed", "decided", "fetched", "kept")
    ]
    assert story.steps[1].line.text == "on http://a.example/ (a 'text', depth 1)"
    assert story.steps[1].line.url == "http://a.example/"
    assert story.steps[4].line.text == "status 503, status, 0.00 s"
    assert "\x1b" not in story.steps[5].line.text
    assert story.change == ""


def test_what_waits_says_where_and_when() -> None:
    waiting = InTask(
        "news",
        1,
        "running",
        "",
        "waiting",
        scheduled=True,
        waiting=Waiting(1.5, 3, 1, 1_012.0, {"depth": 1.5}),
    )
    steps = [step.line.text for step in tell_task(waiting, 1_000.0).steps if step.name == "waiting"]
    assert steps[0] == "Priority 1.5, place 3 at its host"
    assert steps[-1] == "The next request to its host is due in 12 s"


@pytest.mark.parametrize("rule", [*RULES, *CAUSES, "404", "503"])
@pytest.mark.parametrize("verdict", ["refused", "failed", "not kept", "given up", "not followed"])
def test_every_rule_and_cause_has_a_change(rule: str, verdict: str) -> None:
    task = msgspec.structs.replace(FETCHED, verdict=verdict, rule=rule)
    assert suggest_change(task)
    assert "filter" not in suggest_change(task), "that is for filters of a user"


def test_a_filter_of_a_user_is_named() -> None:
    task = msgspec.structs.replace(FETCHED, verdict="not followed", rule="no_shops")
    assert suggest_change(task) == "the filter 'no_shops' has to let it through"


@pytest.mark.parametrize(
    ("state", "rule", "change"),
    [
        ("running", "", "nothing: its turn comes"),
        ("running", "retry", "nothing: it is tried again after a pause"),
        ("paused", "", "continue the task (`gossamer resume`)"),
    ],
)
def test_what_waits_needs_its_task(state: str, rule: str, change: str) -> None:
    task = msgspec.structs.replace(FETCHED, verdict="waiting", rule=rule, state=state)
    assert suggest_change(task) == change


def test_what_was_not_found_can_be_submitted() -> None:
    lost = msgspec.structs.replace(FETCHED, verdict="not found", rule="")
    assert suggest_change(lost) == "submit it as a start page, or link to it"
    refused = msgspec.structs.replace(lost, rule="depth")
    assert "raise the depth limit" in suggest_change(refused)
