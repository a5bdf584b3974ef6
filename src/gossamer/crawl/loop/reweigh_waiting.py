"""Links that wait since an earlier run, or that another shard has found: weighed anew by what was learnt since then."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gossamer.crawl.visit.relevance_marks import OFF_TOPIC, RELEVANCE
from gossamer.order.terms.order_term import RELEVANT, PageView
from gossamer.records import Link, Page, Request
from gossamer.store.batch import Store

if TYPE_CHECKING:  # loaded by tasks that have a guide
    from gossamer.order.link_guide import Guide

_NOBODY_KNOWS = 0.5


def recollected(store: Store, guide: "Guide", requests: Iterable[Request]) -> dict[int, Request]:
    """Return requests with the priorities that they deserve now, by their pages, as far as it is known who links to them.

    The words around a link are left out: they would have to be read from the archive. Cost: two rows of the store for
    each page that links to some of them.
    """
    of_page: dict[int, list[Request]] = defaultdict(list)
    for request in guide.select_unknown(requests):
        if request.parent and not request.attempt:
            of_page[request.parent].append(request)
    found: dict[int, Request] = {}
    for parent, waiting in of_page.items():
        page = store.page(parent)
        if page is not None:
            texts = link_texts(store, parent)
            links = [(one, Link(one.url, "a", texts.get(one.id, ""))) for one in waiting]
            weighed = guide.weigh_again(read_before(page, waiting[0]), links)
            found.update((one.id, one) for one in weighed)
    return found


def link_texts(store: Store, page: int) -> dict[int, str]:
    """Return what the links of a page say, by the pages that they lead to; the first of several counts."""
    return {link.target: link.text for link in reversed(store.links_from(page))}


def read_before(page: Page, child: Request, text: str = "") -> PageView:
    """Return a page as its guide saw it when it was read; `child` is what it leads to."""
    relevance = float(page.marks.get(RELEVANCE, 0.0))
    distance = int(page.marks.get(OFF_TOPIC, relevance < RELEVANT))
    source = Request(page.id, page.url, page.host, child.task, max(0, child.depth - 1))
    return PageView(source, page.title, text, relevance, distance, _NOBODY_KNOWS)
