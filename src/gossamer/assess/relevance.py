"""How relevant pages are: by what the crawl has left on them, or by a topic that is asked now."""

from pathlib import Path

from gossamer.assess.facts import Relevance, marked_relevance
from gossamer.crawl.rereading import decoded
from gossamer.net import html
from gossamer.records import Page
from gossamer.store.kept import Kept, Place
from gossamer.store.models import topic_model

ARCHIVE = "archive"


def relevance_by(folder: Path, topic: str) -> Relevance:
    """Return what tells the relevance of a page: the topic of this name, or with "" the marks of the crawl.

    A topic reads each page once more from the archive; what is not there any more has no relevance.
    """
    if not topic:
        return marked_relevance
    model = topic_model(folder, topic)
    kept = Kept(folder / ARCHIVE)

    def asked(page: Page) -> float | None:
        exchange = kept.read(Place(page.warc, page.warc_offset), decoded)
        if exchange is None:
            return None
        document = html.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))
        headings = [heading.text for heading in document.headings]
        return model.relevance(document.text, title=document.title, url=page.url, headings=headings)

    return asked
