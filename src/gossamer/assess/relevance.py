"""How relevant pages are: by what the crawl has left on them, or by a topic that is asked now."""

from pathlib import Path

from gossamer.assess.facts import Relevance, marked_relevance
from gossamer.errors import BadInput


def relevance_by(folder: Path, topic: str) -> Relevance:
    """Return what tells the relevance of a page: the topic of this name, or with "" the marks of the crawl."""
    if topic:
        raise BadInput(f"the web at {folder} has no topic {topic!r}")
    return marked_relevance
