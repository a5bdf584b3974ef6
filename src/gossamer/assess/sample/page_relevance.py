"""How relevant pages are: by what the crawl has left on them, or by a topic that is asked now."""

from pathlib import Path

from gossamer.assess.sample.page_facts import Relevance, marked_relevance
from gossamer.crawl.archive.topic_examples import Examples
from gossamer.crawl.control.mailbox import read_spec
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.store.model_folder import topic_model, topic_path

ARCHIVE = "archive"


def relevance_by(store: Store, folder: Path, topic: str, learnt_in: Path | None = None) -> Relevance:
    """Return what tells the relevance of a page: the topic of this name, or with "" the marks of the crawl.

    The topic is one of this web, or of the one where it was learnt. It sees of each page what it sees when it is
    learnt, links to it included: the page is read once more from the archive. What is not there any more has no
    relevance.
    """
    if not topic:
        return marked_relevance
    model = topic_model(learnt_in or folder, topic)
    examples = Examples(store, folder / ARCHIVE)

    def asked(page: Page) -> float | None:
        example = examples.of(page)
        return model.relevance_many([example])[0] if example is not None else None

    return asked


def kept_or_asked(store: Store, folder: Path, topic: str) -> Relevance:
    """Return what tells relevance at the least cost: what a crawl for this topic found, else what the topic says now.

    What was left on a page before the topic was last learnt does not count. Cost: a look for what the crawl has rated;
    any other page is read once more.
    """
    asked = relevance_by(store, folder, topic)
    learnt_s = topic_path(folder, topic).stat().st_mtime
    tasks = {note.number for note in store.tasks() if read_spec(note).topic == topic}

    def known(page: Page) -> float | None:
        is_of_this = page.task in tasks and page.fetched_s >= learnt_s
        kept = marked_relevance(page) if is_of_this else None
        return asked(page) if kept is None else kept

    return known
