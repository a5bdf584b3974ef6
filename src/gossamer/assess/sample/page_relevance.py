"""The relevance of pages: from the marks of a crawl, or from a topic that rates them now."""

from pathlib import Path

from gossamer.assess.sample.page_facts import Relevance, read_relevance_mark
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.from_archive.topic_examples import TopicExamples
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.store.model_folder import topic_model, topic_path

ARCHIVE = "archive"


def make_relevance(store: Store, folder: Path, topic: str, learnt_in: Path | None = None) -> Relevance:
    """Return a function that rates pages by the topic of this name, or with "" by the marks of the crawl.

    The topic belongs to this web, or to the web in `learnt_in`. It sees the same of each page as in training, links to
    the page included: the page is read again from the archive. A page that is no longer there has no relevance.
    """
    if not topic:
        return read_relevance_mark
    model = topic_model(learnt_in or folder, topic)
    examples = TopicExamples(store, folder / ARCHIVE)

    def rate(page: Page) -> float | None:
        example = examples.read_page(page)
        return model.relevance_many([example])[0] if example is not None else None

    return rate


def make_cached_relevance(store: Store, folder: Path, topic: str) -> Relevance:
    """Return a function that takes relevance from the marks of a crawl for this topic, and else rates the page.

    Marks from before the topic was last trained do not count. Cost: a look-up for marked pages; any other page is read
    again from the archive.
    """
    rate = make_relevance(store, folder, topic)
    learnt_s = topic_path(folder, topic).stat().st_mtime
    tasks = {note.number for note in store.tasks() if read_spec(note).topic == topic}

    def look_up_or_rate(page: Page) -> float | None:
        is_current = page.task in tasks and page.fetched_s >= learnt_s
        marked = read_relevance_mark(page) if is_current else None
        return rate(page) if marked is None else marked

    return look_up_or_rate
