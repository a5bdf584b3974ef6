"""Choose what is to be forgotten: one URL, a host, the URLs that a pattern finds, or pages of a certain age."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from gossamer.errors import BadInput, BadUrl
from gossamer.net import url as urls
from gossamer.net.url.url_pattern import compile_pattern
from gossamer.store.batch import Store
from gossamer.store.tombstones import TakedownKind, find_tombstone, tombstone_name

_HOST = re.compile(
    r"(?=.*[.:\]])[\w.-]+(?::\d{1,5})?\Z|localhost(?::\d{1,5})?\Z|\[[0-9a-fA-F:]+\](?::\d{1,5})?\Z"
)
_PATTERN_SIGNS = re.compile(r"[*^$|\\()\[\]{}]")
_MOST_REDIRECTS = 8
_AT_ONCE = 500
# Of so many pages the links are looked up; for more of them, all redirects are read.
_FEW = 100
_MOST_LINKS = 1_000_000


class Wish(msgspec.Struct, frozen=True):
    """What a person asked to forget."""

    kind: TakedownKind
    asked: str
    """As the log keeps it: of a URL only its id."""
    url: str = ""
    host: str = ""
    pattern: str = ""
    before_s: float = 0.0


class Chosen(msgspec.Struct):
    """The pages and addresses that a wish covers."""

    urls: dict[int, str]
    """URLs by id: pages that were fetched, and addresses that are only known."""
    pages: int
    """How many of them are pages."""
    of_pages: int
    """How many pages the web has."""
    redirecting: int = 0
    """How many are there only because they redirect to one of the others."""


def parse_wish(text: str) -> Wish:
    """Tell a URL, a host and a pattern apart: a host has no slash, and a URL has no signs of a regular expression."""
    text = text.strip()
    if not text:
        raise BadInput("give a URL, a host or a pattern to forget; `gossamer forget --help` has examples")
    if "/" not in text and _HOST.match(text):
        return Wish("host", text.lower(), host=text.lower())
    if "://" in text and not _PATTERN_SIGNS.search(text):
        try:
            url = urls.canonical(text, rules=urls.TYPED_RULES)
        except BadUrl as error:
            raise BadInput(f"{text[:200]!r} is not a URL that a page can have ({error.reason})") from None
        return Wish("url", tombstone_name(urls.page_id(url)), url=url)
    compile_pattern(text)
    return Wish("pattern", text, pattern=text)


def choose(store: Store, wish: Wish) -> Chosen:
    """Find what a wish covers. Cost: a look-up for a URL, a pass over all known URLs for the others."""
    found = dict(_find_urls(store, wish))
    pages = _count_pages(store, found)
    if wish.kind != "older than":
        redirecting = _find_redirecting(store, found)
        found |= redirecting
        return Chosen(found, pages, store.counts()["pages"], len(redirecting))
    return Chosen(found, pages, store.counts()["pages"])


def check_found(store: Store, wish: Wish, chosen: Chosen) -> None:
    """Raise BadInput for a URL, host or pattern that nothing in the web has."""
    if chosen.urls:
        return
    match wish.kind:
        case "url" if (gone := find_tombstone(store, wish.url)) is not None:
            raise BadInput(f"{wish.url} was forgotten already, by takedown {gone.takedown}")
        case "url":
            raise BadInput(f"{wish.url} is not in this web; `gossamer explain` shows what it knows of a URL")
        case "host":
            raise BadInput(f"this web has no page and no URL of the host {wish.host}")
        case "pattern":
            raise BadInput(f"no URL of this web matches {wish.pattern!r}")
        case _:
            raise BadInput(f"no page of this web was last fetched more than {wish.asked} ago")


def _find_urls(store: Store, wish: Wish) -> Iterator[tuple[int, str]]:
    match wish.kind:
        case "url":
            page_id = urls.page_id(wish.url)
            yield from store.urls([page_id]).items()
        case "older than":
            for page in store.pages():
                if page.fetched_s < wish.before_s:
                    yield page.id, page.url
        case _:
            pattern = re.compile(wish.pattern)
            for page_id, url in _all_urls(store):
                if _host_of(url) == wish.host if wish.host else pattern.search(url) is not None:
                    yield page_id, url


def _all_urls(store: Store) -> Iterator[tuple[int, str]]:
    yield from store.known_urls()
    for page in store.pages():  # a page of an older version's import may not be among the known URLs
        yield page.id, page.url
    for request in store.all_requests():
        yield request.id, request.url


def _count_pages(store: Store, ids: Iterable[int]) -> int:
    every = list(ids)
    return sum(len(store.page_urls(every[at : at + _AT_ONCE])) for at in range(0, len(every), _AT_ONCE))


def _find_redirecting(store: Store, found: dict[int, str]) -> dict[int, str]:
    """Find the addresses that redirect to these pages: all that they say is the URL that is to be forgotten."""
    more: dict[int, str] = {}
    wanted = set(found)
    read = _read_redirects(store) if len(found) > _FEW else None
    for _ in range(_MOST_REDIRECTS):
        if read is not None:
            leading = [one for target in wanted for one in read.get(target, ())]
        else:
            links = (link for target in wanted for link in store.links_to(target, _MOST_LINKS))
            leading = [link.source for link in links if link.type == "redirect"]
        sources = set(leading) - found.keys() - more.keys()
        sources.discard(0)
        if not sources:
            break
        more |= store.urls(sources)
        wanted = sources
    return more


def _read_redirects(store: Store) -> dict[int, list[int]]:
    by_target: dict[int, list[int]] = {}
    for source, target in store.redirects():
        by_target.setdefault(target, []).append(source)
    return by_target


def _host_of(url: str) -> str:
    parts = url.split("/", 3)
    return parts[2] if len(parts) > 2 else ""
