"""Tell what one task did with a URL, step by step: found, scheduled or refused, fetched, kept, waiting."""

import msgspec

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.explain.describe_url import (
    StoryLine,
    describe_discovery,
    describe_verdict,
    describe_visit,
    describe_waiting,
)
from gossamer.crawl.explain.explain_url import InTask
from gossamer.crawl.explain.suggest_change import suggest_change
from gossamer.crawl.rule_names import REQUISITE
from gossamer.printable_text import clean_text
from gossamer.records import Decision, Visit

_VISIT_NAMES = {
    "fetched": "fetched",
    "not modified": "unchanged",
    "redirected": "redirected",
    "refused": "refused",
    "failed": "failed",
    "cache hit": "from the web",
    "robots": "robots.txt",
}


class StoryStep(msgspec.Struct, frozen=True):
    """One step of the story."""

    name: str
    """What happened, in a word or two: found, scheduled, decided, fetched, kept, waiting …"""
    line: StoryLine


class TaskStory(msgspec.Struct, frozen=True):
    """What one task did with a URL, from its discovery to now."""

    task: str
    number: int
    state: str
    reason: str
    verdict: StoryLine
    detail: str
    steps: list[StoryStep]
    change: str
    """What would have to change for the task to fetch or keep it; "" if nothing has to."""


def tell_task(task: InTask, now_s: float) -> TaskStory:
    """Return the story of a URL in one task."""
    steps = [StoryStep("found", _cut(line, "Found ")) for line in describe_discovery(task)]
    if task.scheduled:
        steps.append(StoryStep("scheduled", StoryLine("It was put into the queue.")))
    elif task.verdict == "not followed":
        steps.append(StoryStep("not scheduled", describe_verdict(task)))
    if task.robots_allow is not None:
        verb = "allows" if task.robots_allow else "forbids"
        steps.append(StoryStep("robots.txt", StoryLine(f"The host's robots.txt {verb} it.")))
    dated = [_tell_decision(one) for one in task.decisions if one.rule != REQUISITE]
    for visit in task.visits:
        dated += _tell_visit(visit)
    steps += sorted(dated, key=lambda step: step.line.when_s)
    steps += [StoryStep("waiting", StoryLine(text)) for text in describe_waiting(task, now_s)]
    detail = task.detail if task.verdict != "redirected" and task.rule != "status" else ""
    return TaskStory(
        task.task,
        task.number,
        task.state,
        task.reason,
        describe_verdict(task),
        clean_text(detail, 500),
        steps,
        suggest_change(task),
    )


def _cut(line: StoryLine, beginning: str) -> StoryLine:
    """Return a line without the words that the name of its step says already."""
    return msgspec.structs.replace(line, text=line.text.removeprefix(beginning))


def _tell_decision(decision: Decision) -> StoryStep:
    detail = f": {clean_text(decision.detail, 300)}" if decision.detail else ""
    return StoryStep("decided", StoryLine(f"{describe_cause(decision.rule)}{detail}", decision.when_s))


def _tell_visit(visit: Visit) -> list[StoryStep]:
    steps = [StoryStep(_VISIT_NAMES[visit.result], _cut(describe_visit(visit), f"{visit.result}, "))]
    if visit.warc and visit.result == "fetched":
        kept = f"It was kept in archive/{clean_text(visit.warc)} at {visit.warc_offset}."
        steps.append(StoryStep("kept", StoryLine(kept, visit.when_s)))
    return steps
