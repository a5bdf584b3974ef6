"""Pages in the eyes of a task's guide: how relevant they are, and whether their links are followed."""

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.rule_names import FOCUS
from gossamer.crawl.task.running_task import RunningTask
from gossamer.records import Page, Request

RELEVANCE = "relevance"
"""The mark that says how probably a page is about the topic of its task."""
OFF_TOPIC = "off_topic"
"""The mark that says how many pages in a row were not relevant on the way to a page, itself included, if several were."""
_NOBODY_KNOWS = 0.5


def guided(request: Request, reading: Reading, running: RunningTask) -> Reading:
    """Let the guide of a task look at a page, if it has one, and mark how relevant it found it."""
    if running.guide is None or reading.document is None:
        return reading
    language = _in_wanted_language(running, reading.page)
    seen = running.guide.read(request, reading.page.title, reading.document.text, language)
    if not running.guide.knows_topic:
        return reading
    marks = reading.page.marks | {RELEVANCE: f"{seen.relevance:.4f}"}
    if seen.distance > 1:
        marks[OFF_TOPIC] = str(seen.distance)
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


def _in_wanted_language(running: RunningTask, page: Page) -> float:
    if not running.languages.wanted or not page.language:
        return _NOBODY_KNOWS
    return float(not running.languages.is_foreign(page))


def out_of_focus(request: Request, running: RunningTask) -> str:
    """Name the rule by which the links of a page are not followed, if the guide is against it."""
    return FOCUS if running.guide is not None and not running.guide.keeps_links(request) else ""
