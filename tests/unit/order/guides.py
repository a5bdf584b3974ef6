"""A stub topic, requests and links for tests of orders."""

from collections.abc import Mapping, Sequence

from gossamer.net.url import page_id
from gossamer.order.link_guide import Guide
from gossamer.order.terms.order_term import NewLink
from gossamer.records import Link, Request


class StubTopic:
    """A topic that takes the relevance of a page from a table of URLs, and gives no odds to the words of links."""

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


def make_request(
    url: str, parent: str = "", depth: int = 1, number: int = 0, priority: float = 0.0
) -> Request:
    parent_id = page_id(parent) if parent else 0
    return Request(page_id(url), url, url.split("/")[2], 1, depth, priority, parent_id, number=number)


def make_links(*links: Link | str) -> list[NewLink]:
    made = [one if isinstance(one, Link) else Link(one) for one in links]
    return [NewLink(page_id(link.url), link) for link in made]


def visit(guide: Guide, request: Request, *links: Link | str, there: bool = True) -> dict[str, float]:
    """Visit a page with a guide that learns from it; return the priorities of its links, all of them new."""
    found = make_links(*links)
    weighed: list[float] = []
    if there:
        guide.read_page(request, "", "")
        if guide.follows_links(request):
            weighed = guide.weigh_links(request, found, [one.key for one in found])
    guide.end_visit(request, learn=True)
    return {one.link.url: value for one, value in zip(found, weighed, strict=False)}
