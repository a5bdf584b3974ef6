"""Give waiting links from earlier runs or other shards new priorities, by what the guide has learnt since."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gossamer.crawl.visit.mark_relevance import OFF_TOPIC, RELEVANCE, UNKNOWN_LANGUAGE
from gossamer.order.terms.order_term import RELEVANT, PageView
from gossamer.records import Link, Page, Request
from gossamer.store.batch import Store

if TYPE_CHECKING:  # loaded by tasks that have a guide
    from gossamer.order.link_guide import Guide


def reweigh(store: Store, guide: "Guide", requests: Iterable[Request]) -> dict[int, Request]:
    """Return requests with the priorities that they deserve now, by page id, as far as their parents are known.

    The words around a link are left out: they would have to be read from the archive. Cost: two rows of the store for
    each parent.
    """
    of_page: dict[int, list[Request]] = defaultdict(list)
    for request in guide.select_unknown(requests):
        if request.parent and not request.attempt and request.type != "requisite":
            of_page[request.parent].append(request)
    found: dict[int, Request] = {}
    for parent, waiting in of_page.items():
        page = store.page(parent)
        if page is not None:
            texts = link_texts(store, parent)
            links = [(one, Link(one.url, "a", texts.get(one.id, ""))) for one in waiting]
            weighed = guide.weigh_again(rebuild_reading(page, waiting[0]), links)
            found.update((one.id, one) for one in weighed)
    return found


def link_texts(store: Store, page: int) -> dict[int, str]:
    """Return the anchor texts of a page's links by target; the first of several counts."""
    return {link.target: link.text for link in reversed(store.links_from(page))}


def rebuild_reading(page: Page, child: Request, text: str = "") -> PageView:
    """Return a page as the guide saw it when it was read; `child` is a request that it leads to."""
    relevance = float(page.marks.get(RELEVANCE, 0.0))
    distance = int(page.marks.get(OFF_TOPIC, relevance < RELEVANT))
    source = Request(page.id, page.url, page.host, child.task, max(0, child.depth - 1))
    return PageView(source, page.title, text, relevance, distance, UNKNOWN_LANGUAGE)
