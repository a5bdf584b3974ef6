"""How relevant pages are: by what the crawl has left on them, or by a topic that is asked now."""

from pathlib import Path

from gossamer.assess.facts import Relevance, marked_relevance
from gossamer.crawl.examples import Examples
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.store.models import topic_model

ARCHIVE = "archive"


def relevance_by(store: Store, folder: Path, topic: str, learnt_in: Path | None = None) -> Relevance:
    """Return what tells the relevance of a page: the topic of this name, or with "" the marks of the crawl.

    The topic is one of this web, or of the one where it was learnt. It sees of each page what it sees when it is learnt: the page is read once more from the archive. What is not
    there any more has no relevance.
    """
    if not topic:
        return marked_relevance
    model = topic_model(learnt_in or folder, topic)
    examples = Examples(store, folder / ARCHIVE)

    def asked(page: Page) -> float | None:
        example = examples.of(page)
        return model.relevance_many([example])[0] if example is not None else None

    return asked
