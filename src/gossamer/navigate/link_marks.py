"""Marks on the links of a page: dead, moved, large, in another language, known to the collection.

Source: Wollenweber (docs/sources.md), chapter 4: links that say what they are before they are followed.
"""

from collections.abc import Mapping, Sequence

from gossamer.crawl.explain.program_marks import select_topics
from gossamer.errors import BadUrl
from gossamer.net.url import TYPED_RULES, canonical, page_id
from gossamer.records import Page, Visit
from gossamer.store.batch import Store

MOST_LINKS = 2_000
"""How many links one request may ask about."""
_LARGE_BYTES = 5_000_000
_GONE = (404, 410)
_DEAD_CAUSES = frozenset({"dns"})
_RELEVANCE = 0.5


def mark_links(store: Store, page: str, links: Sequence[str]) -> list[list[str]]:
    """Return the marks of each link of a page, in order; none for links that the collection does not know.

    - `known`: the collection has the page;
    - `dead`: its last visit found that it is gone, or that its host has no address;
    - `moved`: it leads to another address;
    - `large`: it has more than five megabytes;
    - `language:xx`: it is in another language than the page that links to it;
    - `relevant:NAME`: a classifier gave it a mark of one half or more.

    Cost: a look-up for all links at once.
    """
    ids = [_find_id(link) for link in links]
    wanted = {one for one in ids if one is not None}
    pages, visits = store.pages_by_id(wanted), store.visits_of_pages(wanted)
    source = _find_id(page)
    own = store.page(source) if source is not None else None
    language = own.language if own is not None else ""
    marks = {one: _list_marks(pages.get(one), visits.get(one, []), language) for one in wanted}
    return [marks[one] if one is not None else [] for one in ids]


def _find_id(link: str) -> int | None:
    try:
        return page_id(canonical(link.partition("#")[0], rules=TYPED_RULES))
    except BadUrl:
        return None


def _list_marks(page: Page | None, visits: Sequence[Visit], language: str) -> list[str]:
    marks = ["known"] if page is not None else []
    last = next((one for one in reversed(visits) if one.result not in ("robots", "cache hit")), None)
    if last is not None:
        if last.status in _GONE or last.cause in _DEAD_CAUSES:
            marks.append("dead")
        if last.result == "redirected":
            marks.append("moved")
    if page is None:
        return marks
    if page.body_bytes >= _LARGE_BYTES:
        marks.append("large")
    if language and page.language and page.language != language:
        marks.append(f"language:{page.language}")
    return marks + [f"relevant:{name}" for name in list_relevant(page.marks)]


def list_relevant(marks: Mapping[str, str]) -> list[str]:
    """Return the topics to which a page is relevant: a classifier gave it a mark of one half or more."""
    return [name for name, value in select_topics(marks).items() if _is_relevant(value)]


def _is_relevant(value: str) -> bool:
    try:
        return float(value) >= _RELEVANCE
    except ValueError:
        return False
