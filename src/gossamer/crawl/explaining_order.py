"""What the priority of a link is made of, from what the web has learnt."""

from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.focusing import RELEVANCE
from gossamer.crawl.guiding import guide_for, learnt_before
from gossamer.errors import GossamerError
from gossamer.order.term import RELEVANT, New, Read
from gossamer.records import Link, Page, Request
from gossamer.store.batch import Store


def priority_parts(store: Store, folder: Path, spec: TaskSpec, request: Request) -> dict[str, float]:
    """Return what a waiting request's priority is made of, as of now; nothing if its order looks at depth alone.

    The words around the link are not in the store, and how many pages in a row were off the topic is not either: these
    two are left out.
    """
    page = store.page(request.parent) if request.parent else None
    try:
        guide = guide_for(spec, folder)
    except GossamerError:  # its topic is gone
        return {}
    if guide is None or page is None:
        return {}
    guide.recall(learnt_before(store, request.task, 0))
    texts = (link for link in store.links_to(request.id) if link.source == page.id)
    link = next((Link(request.url, one.type, one.text) for one in texts), Link(request.url))
    return guide.explained(_read_before(page, request), New(request.id, link))


def _read_before(page: Page, request: Request) -> Read:
    relevance = float(page.marks.get(RELEVANCE, 0.0))
    source = Request(page.id, page.url, page.host, request.task, max(0, request.depth - 1))
    return Read(source, page.title, "", relevance, int(relevance < RELEVANT), 0.5)
