"""Describe a page of a topic that a task looks out for, in one line."""

from gossamer.cli.output.tables import clean_text
from gossamer.crawl.events import TopicFound


def describe_topic_page(event: TopicFound) -> str:
    """Return the line that a crawl prints when it finds a page of a topic."""
    title = f"{clean_text(event.title, 80)} · " if event.title else ""
    return f"topic {event.topic} ({event.relevance:.2f}): {title}{clean_text(event.url, 120)}"
