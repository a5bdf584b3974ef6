"""Notice pages of topics while a crawl runs: mark them, and report those that are kept for the first time."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from gossamer.crawl.events import TopicFound
from gossamer.crawl.read_page import Reading
from gossamer.records import Page, Request

if TYPE_CHECKING:  # loaded by tasks that look out for topics, and by no others
    from gossamer.crawl.task.running_task import RunningTask
    from gossamer.crawl.visit.shard_context import ShardContext
    from gossamer.text.topics.topic_model import TopicModel

TOPIC = "topic:"
"""The beginning of the marks with the probabilities that a page is about topics that its task looks out for."""
_EVEN_ODDS = 0.5


def mark_topics(reading: Reading, topics: "Mapping[str, TopicModel]") -> Reading:
    """Mark a page with the topics that it is more likely about than not."""
    if not topics or reading.document is None:
        return reading
    page = reading.page
    found = {
        name: model.relevance(reading.document.text, title=page.title, url=page.url)
        for name, model in topics.items()
    }
    marks = {f"{TOPIC}{name}": f"{chance:.4f}" for name, chance in found.items() if chance >= _EVEN_ODDS}
    if not marks:
        return reading
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(page, marks=page.marks | marks))


def report_topics(task: "RunningTask", request: Request, page: Page, shard: "ShardContext") -> None:
    """Report the topics of a page that was fetched and kept; a page that is visited again is not new."""
    if request.type in ("revisit", "requisite"):
        return
    for mark, chance in page.marks.items():
        if mark.startswith(TOPIC):
            name = mark.removeprefix(TOPIC)
            shard.watch(TopicFound(shard.clock(), task.name, name, page.url, page.title, float(chance)))
