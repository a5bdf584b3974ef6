"""Relevance of a page to the task's topic: the marks that the guide gives it, and whether its links are followed."""

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.rule_names import FOCUS
from gossamer.crawl.task.running_task import RunningTask
from gossamer.records import Page, Request

RELEVANCE = "relevance"
"""The mark with the probability that a page is about the topic of its task."""
OFF_TOPIC = "off_topic"
"""The mark with the number of irrelevant pages in a row on the path to a page, itself included, if more than one."""
UNKNOWN_LANGUAGE = 0.5
"""The probability that a page is in a wanted language, if that is not known."""


def mark_relevance(request: Request, reading: Reading, task: RunningTask) -> Reading:
    """Let the task's guide score the page, and mark how relevant it is; return it unchanged without a guide."""
    if task.guide is None or reading.document is None:
        return reading
    language = _in_wanted_language(task, reading.page)
    seen = task.guide.read_page(request, reading.page.title, reading.document.text, language)
    if not task.guide.has_topic:
        return reading
    marks = reading.page.marks | {RELEVANCE: f"{seen.relevance:.4f}"}
    if seen.distance > 1:
        marks[OFF_TOPIC] = str(seen.distance)
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


def _in_wanted_language(task: RunningTask, page: Page) -> float:
    if not task.languages.wanted or not page.language:
        return UNKNOWN_LANGUAGE
    return float(not task.languages.is_foreign(page))


def refuse_off_topic(request: Request, task: RunningTask) -> str:
    """Name the rule by which the links of an off-topic page are not followed, or return ""."""
    return FOCUS if task.guide is not None and not task.guide.follows_links(request) else ""
