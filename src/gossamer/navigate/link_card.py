"""Cards of links: what a collection knows about the page behind a link, before it is opened.

Source: HyperScout, Wollenweber (docs/sources.md), section 7.1.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from gossamer.crawl.explain.program_marks import select_topics
from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.errors import BadInput, BadUrl
from gossamer.navigate.plugin_line import PluginLine
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.main_text.sentences import sentences
from gossamer.net.url import TYPED_RULES, canonical, page_id
from gossamer.records import Page
from gossamer.search.links.static_rank import StaticRanks, read_ranks
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.page_pictures import find_place
from gossamer.web import Web

MOST_SENTENCES = 2
MOST_CARDS = 100
"""How many cards one request may ask for."""
_MOST_CHARACTERS = 300
_MOST_TEXT = 20_000
_FEWEST_WORDS = 5
"""A shorter line is a heading or a label, and says little about a page."""
_MOST_HOPS = 5
_MOST_TOPICS = 10
_GONE = (404, 410)
_OK = 200


class TopicScore(msgspec.Struct, frozen=True):
    """How relevant a page is to a topic, by the mark that a classifier gave it."""

    name: str
    score: str


class LinkCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a collection knows about an address."""

    url: str
    known: bool = False
    """Whether the collection has the page."""
    title: str = ""
    sentences: tuple[str, ...] = ()
    """The first sentences of its own text."""
    author: str = ""
    language: str = ""
    kind: str = ""
    """Such as html or pdf."""
    bytes: int = 0
    words: int = 0
    modified: str = ""
    """As its server said."""
    fetched_s: float = 0.0
    """When the collection last visited it."""
    visits: int = 0
    status: int = 0
    """Of the last visit; 0 if there was none."""
    gone: bool = False
    failure: str = ""
    """Why the last visit failed, if it did."""
    redirects: tuple[str, ...] = ()
    """Where it leads, address by address, if it is redirected."""
    depth: int = 0
    rank: float = 0.0
    """By PageRank, from 0 to 1: .5 is the average of the collection; 0 without an index."""
    in_links: int = 0
    out_links: int = 0
    topics: tuple[TopicScore, ...] = ()
    has_picture: bool = False
    """Whether there is a small picture of it."""
    lines: tuple[PluginLine, ...] = ()
    """What plug-ins of the server add."""


class CardMaker:
    """Makes cards from one web; reads its ranks once."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._ranks: StaticRanks = read_ranks(_find_index_folder(web))

    def make_card(self, address: str) -> LinkCard:
        """Return the card of an address; raise `BadInput` if it is none.

        Cost: look-ups by id, and reading one page of the archive. Nothing is fetched.
        """
        url = read_address(address)
        store = self._web.store
        first = page_id(url)
        page, redirects = self._follow_redirects(first)
        visits = store.visits(page.id if page is not None else first)
        card = LinkCard(url=url, redirects=tuple(redirects), visits=len(visits))
        card = msgspec.structs.replace(card, in_links=store.count_links_to(page.id if page else first))
        if visits:
            last = visits[-1]
            failure = last.cause if last.result in ("failed", "refused") else ""
            card = msgspec.structs.replace(
                card, status=last.status, gone=last.status in _GONE, fetched_s=last.when_s, failure=failure
            )
        return card if page is None else self._describe_page(card, page)

    def _describe_page(self, card: LinkCard, page: Page) -> LinkCard:
        document = self._read_document(page)
        return msgspec.structs.replace(
            card,
            known=True,
            title=page.title,
            sentences=choose_sentences(page, document) if page.archive else (),
            author=document.author[:_MOST_CHARACTERS] if document is not None else "",
            language=page.language,
            kind=page.kind,
            bytes=page.body_bytes,
            words=page.words,
            modified=page.last_modified,
            depth=page.depth,
            rank=self._find_rank(page.id),
            out_links=len({link.target for link in self._web.store.links_from(page.id)}),
            topics=tuple(TopicScore(*one) for one in list(select_topics(page.marks).items())[:_MOST_TOPICS]),
            has_picture=page.archive and find_place(self._web.store, page.id, "small") is not None,
        )

    def _follow_redirects(self, first: int) -> tuple[Page | None, list[str]]:
        """Return the page at the end of redirects, and the addresses on the way to it."""
        store, way, at = self._web.store, list[str](), first
        for _ in range(_MOST_HOPS):
            page = store.page(at)
            targets = [link.target for link in store.links_from(at) if link.type == "redirect"]
            if not targets:
                return page, way
            at = targets[0]
            way.append(store.url(at) or "")
        return store.page(at), way

    def _read_document(self, page: Page) -> Document | None:
        # Documents beyond HTML are read in a process of their own, which takes longer than a reader waits for a card.
        if page.kind != "html" or page.status != _OK:
            return None
        try:
            return read_document(page, open_reader(self._web.folder / "archive"))
        except OSError:
            return None

    def _find_rank(self, page: int) -> float:
        multiple = float(self._ranks.to_multiples(np.array([page], np.int64))[0])
        return round(multiple / (1.0 + multiple), 3)


def read_address(address: str) -> str:
    """Return the canonical form of an address that a person or a browser gave; raise `BadInput` if it is none."""
    try:
        return canonical(address.partition("#")[0].strip(), rules=TYPED_RULES)
    except BadUrl:
        raise BadInput(
            f"{address[:200]!r} is not the address of a page; give one such as https://example.org/page"
        ) from None


def choose_sentences(page: Page, document: Document | None) -> tuple[str, ...]:
    """Return the first sentences of the main text of a page that are more than a label, or its own description."""
    if document is None:
        return (page.description[:_MOST_CHARACTERS],) if page.description else ()
    text = html.main_text(document) or document.text
    found = _list_sentences(text[:_MOST_TEXT].split("\n"), page.title)
    chosen = [line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]}…" for line in found]
    return tuple(chosen) or ((page.description[:_MOST_CHARACTERS],) if page.description else ())


def _list_sentences(lines: Iterable[str], title: str) -> Sequence[str]:
    found = list[str]()
    for line in lines:
        for sentence in sentences(line):
            if len(sentence.split()) >= _FEWEST_WORDS and sentence.casefold() != title.casefold():
                found.append(sentence)
                if len(found) == MOST_SENTENCES:
                    return found
    return found


def _find_index_folder(web: Web) -> Path | None:
    folder = web.index_folder
    return folder if folder.is_dir() else None
