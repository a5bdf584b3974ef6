"""Why did a crawl end at its first page? By the page's links, its scripts, and what the task did with them."""

from collections import Counter
from pathlib import Path

import msgspec

from gossamer.config import TaskSpec, from_json
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import NOFOLLOW_PAGE
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.documents.readable_pages import UNREADABLE
from gossamer.net import url as urls
from gossamer.records import Link, Page, PageLink
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store, TaskNote
from gossamer.store.opening.open_archive import open_reader

_MOST_REDIRECTS = 8
_SCRIPT = b"<script"


class SinglePage(msgspec.Struct, frozen=True):
    """The only page of a task, and why none followed."""

    url: str
    kind: str
    words: int
    links: int
    """How many links the web has of it."""
    rules: dict[str, int]
    """The links that were not followed, by the rule, most frequent first."""
    scripts: bool
    """Whether it has scripts, which may make links in a browser."""
    keeps_links: bool
    """Whether the task keeps links: without them, the reason is not known."""
    unreadable: str = ""
    """Why it could not be read."""


def explain_single_page(store: Store, folder: Path, note: TaskNote) -> SinglePage | None:
    """Return why a task has no second page; None if its only page cannot be found."""
    spec = from_json(note.spec)
    page = _find_page(store, spec)
    if page is None:
        return None
    links = [link for link in store.links_from(page.id) if link.type != "redirect"]
    rules = dict(_count_rules(store, note.number, spec, page, links).most_common())
    return SinglePage(
        page.url,
        page.kind,
        page.words,
        len(links),
        rules,
        _has_scripts(page, folder),
        spec.keeping.links,
        page.marks.get(UNREADABLE, ""),
    )


def _find_page(store: Store, spec: TaskSpec) -> Page | None:
    """Return the start page that is in the web, or the page that it redirects to."""
    for url in list_start_pages(spec):
        page_id = urls.page_id(url)
        for _ in range(_MOST_REDIRECTS):
            if (page := store.page(page_id)) is not None:
                return page
            targets = [link.target for link in store.links_from(page_id) if link.type == "redirect"]
            if not targets:
                break
            page_id = targets[0]
    return None


def _count_rules(store: Store, task: int, spec: TaskSpec, page: Page, links: list[PageLink]) -> Counter[str]:
    """Count the links that were not followed by the rule that refused them; links to the page itself are left out."""
    on_page = [one.rule for one in store.decisions(page.id) if one.task == task]
    if NOFOLLOW_PAGE in on_page:
        return Counter({NOFOLLOW_PAGE: len(links)})
    rules = ScopeRules(spec, list_start_pages(spec))
    names = store.urls(link.target for link in links)
    found: Counter[str] = Counter()
    for link in links:
        if link.target != page.id and (url := names.get(link.target)):
            rebuilt = Link(url, link.type, link.text, "nofollow" if link.nofollow else "")
            rule = rules.decide(rebuilt, host_of(url), page.depth + 1)
            found[on_page[-1] if rule == FOLLOW and on_page else rule] += 1
    del found[FOLLOW]
    return found


def _has_scripts(page: Page, folder: Path) -> bool:
    place = WarcPosition(page.warc, page.warc_offset)
    exchange = open_reader(folder / "archive").read(place, decode_content) if page.warc else None
    return exchange is not None and _SCRIPT in exchange.body.lower()
