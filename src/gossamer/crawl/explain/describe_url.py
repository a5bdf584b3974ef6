"""Tell the story of a URL in sentences: for `gossamer explain`, and for the page of the console."""

from collections.abc import Callable

import msgspec

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.explain.explain_url import Explanation, InTask
from gossamer.crawl.recrawl.revisit_plan import PageOutlook
from gossamer.crawl.task_counts import format_count
from gossamer.printable_text import clean_text, quote_text
from gossamer.records import Visit

USUAL_SHARE = 0.1
"""The share of a web that is visited again on a day, by default."""

_VERDICTS = {
    "fetched": "It was fetched and kept.",
    "not modified": "It was visited and had not changed.",
    "cache hit": "The copy in the web was fresh enough: it was not fetched again.",
    "redirected": "It redirects to {detail}",
    "refused": "It was not requested: {meaning}.",
    "failed": "It could not be fetched: {meaning}.",
    "not kept": "It was fetched and not kept: {meaning}.",
    "waiting": "It is waiting to be fetched.",
    "given up": "It was queued, then given up: {meaning}.",
    "not followed": "It is not followed: {meaning}.",
    "not found": "This task did not find it.",
    "under way": "It is being fetched.",
    "robots": "It was fetched as robots.txt, not as a page.",
}
_LEFT_OUT = {
    "noindex": "it asks not to be indexed (noindex)",
    "no text": "it has no text that can be read: HTML, plain text and documents are indexed",
    "an error page": "it has an error status",
}
_MARK_MEANINGS = {
    "unreadable": "It is kept as bytes and not read, for the reason in the mark `unreadable`",
    "format": "It was read as a document of the format in the mark `format`, in a process with limits",
    "reader-notes": "What was left out of it is in the mark `reader-notes`",
    "reduced": "It was simplified before it was parsed, since its tree would have been too large",
    "rendered": "It was shown in a browser and read as it was shown there, for the reason in the mark `rendered`",
    "unrendered": "It has signs that it needs a browser and is kept as it came, for the reason in the mark `unrendered`",
    "links-cut": "It has more links than the task reads from one page (`--page-links`): the others were left out",
}
_LINKS_SHOWN = 5
_SHOWN_IN_HOURS_DAYS = 2.0
"""Shorter ages are shown in hours."""

FormatTime = Callable[[float], str]
"""Writes a Unix time: a terminal shows local time, a page UTC."""


class StoryLine(msgspec.Struct, frozen=True):
    """One sentence of the story of a URL."""

    text: str
    when_s: float = 0.0
    """When it happened; 0 for what holds now, or whose time is not known."""
    url: str = ""
    """Another URL that the text ends with or speaks of, if it has a story of its own."""


def describe_page(explanation: Explanation) -> list[StoryLine]:
    """Describe what the web has of a URL: its page, its archive, its marks, and the links to it."""
    lines = [] if explanation.known else [StoryLine("This web does not know this URL.")]
    lines += describe_forgetting(explanation)
    if page := explanation.page:
        title = f" {quote_text(page.title)}" if page.title else ""
        size = format_count(page.body_bytes, "byte")
        lines.append(StoryLine(f"In the web: {page.kind}{title}, {size}, status {page.status}"))
        if page.warc:
            lines.append(StoryLine(f"Archived in: archive/{page.warc} at {page.warc_offset}"))
        marks = ", ".join(f"{clean_text(name)}={clean_text(value)}" for name, value in page.marks.items())
        lines += [StoryLine(f"Marks: {marks}")] if marks else []
        lines += [StoryLine(meaning) for mark, meaning in _MARK_MEANINGS.items() if mark in page.marks]
    if explanation.links:
        lines.append(StoryLine(f"Links to it in this web: {explanation.links:,}"))
    if same := explanation.same_as:
        lines.append(StoryLine(f"The same bytes as {clean_text(same, 500)}", url=same))
    lines += [
        StoryLine(f"Redirected to from {clean_text(url, 500)}", url=url)
        for url in explanation.redirected_from
    ]
    if explanation.reader_kills:
        times = format_count(explanation.reader_kills, "time")
        lines.append(StoryLine(f"Reading it has killed the program {times}"))
    if explanation.host and explanation.host.failures:
        times = format_count(explanation.host.failures, "time")
        lines.append(StoryLine(f"Its host recently failed {times} in a row"))
    return lines


def describe_forgetting(explanation: Explanation) -> list[StoryLine]:
    """Say whether a URL was forgotten on request, or its page dropped to save room."""
    if gone := explanation.forgotten:
        text = (
            f"It was forgotten on request (takedown {gone.takedown}) and is not collected again: "
            f"`gossamer forget --undo {gone.takedown}` allows it"
        )
        return [StoryLine(text, gone.when_s)]
    if explanation.page is None and (gone := explanation.dropped):
        return [
            StoryLine(
                f"Its page was dropped to save room: {gone.why}; it may be collected again", gone.when_s
            )
        ]
    return []


def describe_index(verdict: str, in_links: int, rank: float) -> StoryLine:
    """Say whether a page is in the index, by the verdict of the index, or why not."""
    if verdict == "in the index":
        linking = format_count(in_links, "page")
        return StoryLine(f"In the index: {linking} link to it, rank {rank:.1f} (1 is average)")
    if verdict == "not yet":
        return StoryLine("Not in the index yet: `gossamer index` adds it")
    return StoryLine(f"Not in the index: {_LEFT_OUT[verdict]}")


def describe_changes(
    outlook: PageOutlook | None, now_s: float, format_time: FormatTime, share: float = USUAL_SHARE
) -> list[StoryLine]:
    """Say how often a page changes, how that was estimated, and when its next visit is due."""
    if outlook is None:
        return []
    own = "not yet observed in visits"
    if outlook.days:
        own = f"visits saw {outlook.changes:.2g} changes in {outlook.days:.2g} days"
    lines = [
        f"Changes {format_rate(outlook.per_day)}: {own}; pages of its host and kind change "
        f"{format_rate(outlook.group_per_day)}",
        f"Last seen unchanged {_format_age(outlook.age_days)}, {100 * outlook.chance:.0f} % likely to have changed since",
    ]
    if outlook.told:
        lines.append("A sitemap or feed lists it as changed")
    lines.append(_describe_due_time(outlook, now_s, format_time, f"at {100 * share:.0f} % of the web a day"))
    return [StoryLine(line) for line in lines]


def _describe_due_time(outlook: PageOutlook, now_s: float, format_time: FormatTime, budget: str) -> str:
    absent = f"it could not be fetched {format_count(outlook.gone_times, 'time')} in a row"
    if outlook.out:
        return f"No further visits: {absent}"
    if outlook.due_s is None:
        return f"Never due {budget}: no visit is worth the price of {outlook.price:.2g}"
    is_due = outlook.due_s <= now_s
    when = "now" if is_due else format_time(outlook.due_s)
    if outlook.gone_times:
        return f"Next try {when}: {absent}"
    share = "more than" if is_due else f"now {100 * outlook.value / outlook.price:.0f} % of"
    return f"Due {when}, {budget}: a visit is worth {share} its price of {outlook.price:.2g} (weight {outlook.weight:.2g})"


def format_rate(per_day: float) -> str:
    """Return a rate such as "2 times a day" or "every 3 days"."""
    if per_day >= 1:
        return f"{per_day:.2g} times a day"
    days = 1 / max(per_day, 1e-9)
    return f"every {days:.2g} days" if days < 100 else f"every {days / 365:.2g} years"


def _format_age(days: float) -> str:
    """Return an age in hours or days, such as "3 days ago"."""
    if days < _SHOWN_IN_HOURS_DAYS:
        return f"{format_count(round(24 * days), 'hour')} ago"
    return f"{format_count(round(days), 'day')} ago"


def describe_verdict(task: InTask) -> StoryLine:
    """Say in one sentence what a task did with a URL."""
    why = describe_cause(task.rule) if task.rule else "no reason was recorded"
    if task.rule == "status" and task.detail:
        why = describe_cause(task.detail)
    text = _VERDICTS[task.verdict].format(meaning=why, detail=clean_text(task.detail, 500))
    return StoryLine(text, url=task.detail if task.verdict == "redirected" else "")


def describe_task(task: InTask, now_s: float) -> list[StoryLine]:
    """Tell what a task did with a URL: the verdict, where it was found, its waiting, and its visits."""
    lines = [describe_verdict(task)]
    if task.detail and task.verdict != "redirected" and task.rule != "status":
        lines.append(StoryLine(f"Detail: {clean_text(task.detail, 500)}"))
    lines += describe_discovery(task)
    lines += [StoryLine(text) for text in describe_waiting(task, now_s)]
    if task.robots_allow is not None:
        verb = "allows" if task.robots_allow else "forbids"
        lines.append(StoryLine(f"The host's robots.txt {verb} it."))
    return lines + [describe_visit(visit) for visit in task.visits]


def describe_discovery(task: InTask) -> list[StoryLine]:
    """Say how a task found a URL."""
    lines = []
    if needs := task.requisite_of:
        lines.append(StoryLine(f"It is a requisite of {clean_text(needs, 500)}", url=needs))
    if task.start_page:
        lines.append(StoryLine("It is a start page."))
    for link in task.found_on[:_LINKS_SHOWN]:
        nofollow = ", nofollow" if link.nofollow else ""
        depth = "" if link.depth is None else f", depth {link.depth}"
        text = f" {quote_text(link.text)}" if link.text else ""
        where = f"Found on {clean_text(link.url, 500)} ({link.type}{text}{nofollow}{depth})"
        lines.append(StoryLine(where, url=link.url))
    others = task.found_links - len(task.found_on[:_LINKS_SHOWN])
    if others or task.more_links:
        atleast = "more than " if task.more_links else ""
        lines.append(StoryLine(f"… and by {atleast}{format_count(others, 'other link')}"))
    return lines


def describe_waiting(task: InTask, now_s: float) -> list[str]:
    """Say at which place a URL waits, and with which priority; nothing if it does not wait."""
    if task.waiting is None:
        return []
    waits = task.waiting
    place = f"place {waits.place:,}" if waits.place else "behind more than 10,000 others"
    lines = [f"Priority {waits.priority:g}, {place} at its host"]
    lines += [f"  {value:+.3f}  {name}" for name, value in waits.parts.items()]
    if waits.tries_so_far:
        lines.append(f"Tried {format_count(waits.tries_so_far, 'time')} so far")
    if waits.host_ready_s > now_s:
        lines.append(f"The next request to its host is due in {waits.host_ready_s - now_s:.0f} s")
    lines += waits.manners
    return lines


def describe_visit(visit: Visit) -> StoryLine:
    """Describe one visit: its result, status, cause, size and duration."""
    parts = [visit.result, f"status {visit.status}" if visit.status else "", visit.cause]
    parts += [clean_text(visit.detail, 200) if visit.detail != str(visit.status) else ""]
    parts += [format_count(visit.body_bytes, "byte") if visit.body_bytes else "", f"{visit.took_s:.2f} s"]
    return StoryLine(", ".join(part for part in parts if part), visit.when_s)
