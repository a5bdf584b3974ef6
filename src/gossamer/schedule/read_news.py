"""Read what a run has found from the output of its verb, or from the visits of its web."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from gossamer.link_check.problem import ERRORS
from gossamer.schedule.journal.journal_records import News, NewsItem
from gossamer.store.batch import Store

MOST_ITEMS = 5_000
_MOST_BYTES = 50_000_000
_LOT = 1_000
_VISITING = frozenset({"crawl", "resume", "recrawl"})


def reads_visits(do: str) -> bool:
    """Say whether what a verb found is read from the visits of the web."""
    return do in _VISITING


def read_visits(store: Store, after: int, since_s: float) -> News:
    """Return the pages that are new or changed since a visit, the first of many."""
    new, changed = [], []
    last = store.last_visit()
    pages: dict[int, None] = {}
    for note in store.tasks():
        place = after
        while place < last and len(pages) < MOST_ITEMS:
            found, place = store.visited_pages(note.number, place, last, _LOT)
            pages.update(dict.fromkeys(found))
    records = store.pages_by_id(pages)
    for page_id, visits in store.visits_of_pages(pages).items():
        fetched = [visit for visit in visits if visit.result == "fetched" and visit.status < 300]
        before = [visit for visit in fetched if visit.when_s < since_s]
        page = records.get(page_id)
        if page is None or not fetched or fetched[-1].when_s < since_s:
            continue
        if not before:
            new.append(NewsItem(page.url, page.title, page.url))
        elif before[-1].text_digest != fetched[-1].text_digest:
            changed.append(NewsItem(page.url, f"changed: {page.title or page.url}", page.url))
    return News(
        f"{len(new):,} new pages, {len(changed):,} changed pages.", tuple(new + changed), remember=False
    )


def read_output(do: str, path: Path) -> News | None:
    """Return what a verb found, from its output; None if this verb finds nothing that could be new."""
    reader = _READERS.get(do)
    if reader is None:
        return None
    try:
        with path.open("rb") as file:
            return reader(_read_lines(file.read(_MOST_BYTES)))
    except (OSError, msgspec.MsgspecError, KeyError, TypeError, AttributeError):
        return None


def _read_lines(output: bytes) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        if line.startswith(b"{"):
            yield msgspec.json.decode(line, type=dict[str, Any])


def _read_search(lines: Iterable[dict[str, Any]]) -> News:
    items = [
        NewsItem(answer["url"], answer["title"], answer["url"])
        for line in lines
        for answer in line.get("answers", ())
    ]
    return News("New answers.", tuple(items), first_is_new=False)


def _read_hot(lines: Iterable[dict[str, Any]]) -> News:
    items = []
    for line in lines:
        for story in line.get("stories", ()):
            words = ", ".join(story["words"][:8])
            page: dict[str, Any] = next(iter(story["pages"]), {})
            items.append(NewsItem(story["id"], f"{words} ({story['texts']:,} texts)", page.get("url", "")))
    return News("Words that rise together.", tuple(items))


def _read_check(lines: Iterable[dict[str, Any]]) -> News:
    items: dict[str, NewsItem] = {}
    for line in lines:
        if line.get("problem") in ERRORS:
            key = hashlib.sha256(f"{line['problem']} {line['target']}".encode("utf-8", "replace")).hexdigest()
            status = f" {line['status']}" if line.get("status") else ""
            title = f"{line['problem']}{status}: {line['target']} on {line['source']}"
            items.setdefault(key, NewsItem(key, title, line["source"]))
    return News("Links that are broken now.", tuple(items.values())[:MOST_ITEMS])


def _read_watch(lines: Iterable[dict[str, Any]]) -> News:
    items = [
        NewsItem(line["id"], f"{line['change']}: {line['title'] or line['url']}", line["url"])
        for line in lines
        if "change" in line
    ]
    return News("Watched pages that changed.", tuple(items), remember=False)


_READERS: dict[str, Callable[[Iterable[dict[str, Any]]], News]] = {
    "search": _read_search,
    "hot": _read_hot,
    "check": _read_check,
    "watch": _read_watch,
}
