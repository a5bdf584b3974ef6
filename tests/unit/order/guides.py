"""A topic that is told, pages that are read, and links on them, for tests of orders."""

from collections.abc import Mapping, Sequence

from gossamer.net.url import page_id
from gossamer.order.link_guide import Guide
from gossamer.order.order_term import New
from gossamer.records import Link, Request


class Told:
    """A topic whose pages are told by their URL; of the words of a link it knows nothing."""

    def __init__(self, relevances: Mapping[str, float]) -> None:
        self._relevances = relevances

    def relevance(
        self,
        text: str,
        *,
        title: str = "",
        url: str = "",
        anchors: Sequence[str] = (),
        linked_from: Sequence[str] = (),
    ) -> float:
        return self._relevances.get(url, 0.0)

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        return [0.0] * len(texts)


def requested(url: str, parent: str = "", depth: int = 1, number: int = 0, priority: float = 0.0) -> Request:
    parent_id = page_id(parent) if parent else 0
    return Request(page_id(url), url, url.split("/")[2], 1, depth, priority, parent_id, number=number)


def new(*links: Link | str) -> list[New]:
    made = [one if isinstance(one, Link) else Link(one) for one in links]
    return [New(page_id(link.url), link) for link in made]


def visit(guide: Guide, request: Request, *links: Link | str, there: bool = True) -> dict[str, float]:
    """Let a guide see a page and its links, all of them new, and learn from it; return their priorities."""
    found = new(*links)
    weighed: list[float] = []
    if there:
        guide.read(request, "", "")
        if guide.keeps_links(request):
            weighed = guide.weigh(request, found, [one.key for one in found])
    guide.ended(request, tell=True)
    return {one.link.url: value for one, value in zip(found, weighed, strict=False)}
