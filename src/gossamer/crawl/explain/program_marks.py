"""The marks with which the crawl describes how it read a page; classifiers and topics give all others."""

from collections.abc import Mapping

from gossamer.crawl.read_page import (
    AUTHOR,
    DATED,
    FORMAT,
    LINKS_CUT,
    PARTS,
    READER_NOTES,
    REDUCED,
    REVISIT_AFTER,
)
from gossamer.crawl.render.rendering import RENDERED, UNRENDERED
from gossamer.crawl.task.task_functions import PLUGIN_FAILED
from gossamer.crawl.visit.mark_relevance import OFF_TOPIC
from gossamer.documents.plugin_readers import READER
from gossamer.documents.readable_pages import UNREADABLE

PROGRAM_MARKS = frozenset(
    {
        *(AUTHOR, DATED, FORMAT, LINKS_CUT, PARTS, READER_NOTES, REDUCED, REVISIT_AFTER),
        *(RENDERED, UNRENDERED, PLUGIN_FAILED, OFF_TOPIC, READER, UNREADABLE),
    }
)


def select_topics(marks: Mapping[str, str]) -> dict[str, str]:
    """Return the marks that say what a page is about."""
    return {name: value for name, value in marks.items() if name not in PROGRAM_MARKS}
