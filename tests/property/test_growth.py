"""Nothing that reads the web takes more than linear time, give or take, in what it reads.

Each reader gets strings of repeated pieces, longer and longer. The processor time of this process is measured, the least
of several tries, and only times long enough to be measured count, so that a loaded machine cannot fail the test.
"""

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from types import FrameType
from typing import Any

import pytest
from tests.unit.search.texts import entry

from gossamer.crawl.read_page import read as read_exchange
from gossamer.errors import BadInput, BadUrl
from gossamer.fetch.address_guard import check_address
from gossamer.fetch.http.request_head import parse_target
from gossamer.fetch.http.response_head import parse_retry_after, read_head
from gossamer.freshness.volatile_text import digest_lines
from gossamer.frontier.spider_traps import find_family, find_shape_trap, is_dated
from gossamer.net import encoding, fingerprint, html, media_type, robots
from gossamer.net.dates import parse_date
from gossamer.net.html.document import Document
from gossamer.net.html.head_metadata import parse_refresh
from gossamer.net.html.parse_tree import parse_page
from gossamer.net.main_text.sentences import sentences
from gossamer.net.sitemap import read_sitemap
from gossamer.net.url import canonical
from gossamer.net.url.public_suffix import site
from gossamer.records import Exchange, PageLink, Request
from gossamer.search.answers.readable_address import decode_address
from gossamer.search.answers.similar_words import find_near_words
from gossamer.search.answers.snippets import Marker
from gossamer.search.field_weights import WEIGHTS
from gossamer.search.index.document_fields import make_document
from gossamer.search.query.parse_query import Words
from gossamer.search.query.parse_query import parse as parse_query
from gossamer.search.terms.analysis import TermTables, get_analyser, split_text
from gossamer.store.archive import http_message
from gossamer.store.archive.cdxj_index import surt
from gossamer.text.language.detection.corpus_sentences import sentences_of, split_words
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.detection.running_text import join_wrapped_lines
from gossamer.text.topics.features.count_words import count_words
from gossamer.ui.pages.cached_page_assets import AssetInliner
from gossamer.ui.pages.mark_copy import mark_words

pytestmark = pytest.mark.slow

SIZES = (1_000, 8_000, 64_000) if os.environ.get("MANY_EXAMPLES") else (500, 4_000, 32_000)
"""Quadratic time shows in both; `make soak` reads the longer texts."""
STEP = 8
SUSPICIOUS = 20.0
"""Growth from one size to the next that is looked into."""
LAST_STEP = 4
MOST_GROWTH = 9.0
"""When a suspicious text gets four times as long: linear time grows by 4, quadratic time by 16."""
SHORTEST_S = 0.003
"""Shorter times are not looked into."""
ENOUGH_S = 0.006
"""Once a time is as long as this, the next size is not tried."""
TRIES = 3
GUARD_S = 60.0
"""Ends a reader that would run for hours; the slowest takes a hundredth of it."""

# Each is repeated, with an end that makes long matches fail at their last character.
RUNS = [
    *" \t\n\0aA1_-.,:;!?'\"()[]{}<>/\\|&=%#@+*~$^`",
    "\r\n",
    "é",
    "ß",
    "漢",
    "。",
    "؟",
    "\u0301",
    "\U0001f600",
    "\u202e",
]
PIECES = [
    *("a ", "a.", "a,", "a-", "a'", "1.", "1,", "1 ", ". ", "! ", "aB", "Aa", "a1", "a\n", ".\n", ") ", "(a", "a(", "[a]"),
    *("a=b&", "a=", "a;", ";a=1", "&a", "%25", "%2", "%%", "%41", "/a", "/.", "/..", "//", "a/", "?a", "#a", "://", "a:"),
    *("http://a/ ", "www.", "mailto:", "a@b.c ", "cfid=", "&cftoken=", "cfid=1&cftoken=", "sid=", "(a)/", "/(a(", ".aspx"),
    *("<a ", "<a>", "<b ", "<b>", "</a", "</a>", "<p>", "<!--", "-->", "<!", "<?", "<?xml ", "<![CDATA[", "]]>", "<meta "),
    *("<meta name=robots content=a>", "<script>", "</script", "<title>", "<body a=1>", "<a href=a>", "<img alt='a'", "<li>"),
    *("<table>", "<td>", "<div class=a>", "<base href=a>", "<link rel=a href=b>", "<a href='", "<x y=z ", "<h1>", "<svg><a>"),
    *("&#", "&#x", "&amp", "&a;", "&lt;", "charset=", "charset ", "content=", "url(", "@import ", "lang=", " lang"),
    *("content-length: ", "\r\n ", "\r\na:", "\na ", "user-agent: a\n", "disallow: /a*\n", "allow: /*a*b*$\n", "noindex,"),
    *("max-snippet:", "unavailable_after: ", "a:a,", "<url><loc>http://a/</loc></url>", "<sitemap>", "http://a/\n"),
    *("a AND ", "a OR ", "NOT ", "-a ", "+", '"a', "title:", "title:(", "a*", "a~", "( ", ") "),
]  # fmt: skip
CacheType = type(lru_cache(str))
MARKER = Marker([Words("a")], ("en",))
ENDS = ("", "@")

Reader = Callable[[str], object]


def to_request(url: str) -> Request:
    return Request(1, url, "a.example", 1)


def to_exchange(text: str, content_type: str) -> Exchange:
    body = text.encode("utf-8", "replace")
    head = ((name, content_type) for name in ("content-type", "x-robots-tag"))
    return Exchange("http://a.example/", 200, b"", b"", body, body, tuple(head), "", 0.0, 0.0, 0.0)


def read_page(text: str) -> object:
    reading = read_exchange(to_request("http://a.example/x"), to_exchange(text, "text/html"), "gossamer")
    assert "unreadable" not in reading.page.marks
    return reading


def read_robots(text: str) -> object:
    rules = robots.parse(text.encode("utf-8", "replace"))
    return rules.allows("http://a.example/a/b?c=" + text[:2_000], "gossamer")


def read_canonical(url: str) -> object:
    with suppress(BadUrl):
        return canonical(url)
    return None


def parse_html_and(use: Callable[[Document], object]) -> Reader:
    return lambda text: use(html.read(f"<html><body><p>{text}</p></body></html>", "http://a.example/"))


READERS: dict[str, Reader] = {
    "surt of a query": lambda text: surt(f"http://a.example/?x={text}"),
    "surt of a path": lambda text: surt(f"http://a.example/{text}/x.aspx"),
    "surt of a host": lambda text: surt(f"http://{text}/"),
    "canonical": lambda text: read_canonical(f"http://a.example/{text}"),
    "canonical of a host": lambda text: read_canonical(f"http://{text}/"),
    "canonical of a relative link": read_canonical,
    "site": site,
    "trap families": lambda text: (find_family(f"http://a/{text}"), is_dated(f"http://a/{text}")),
    "trap shapes": lambda text: find_shape_trap(f"http://a/{text}"),
    "request target": lambda text: parse_target(f"http://a.example/{text}"),
    "request host": lambda text: parse_target(f"http://{text}"),
    "address": lambda text: check_address(text, ()),
    "dates": lambda text: (parse_date(text), parse_retry_after(text, 0.0)),
    "response heads": lambda text: read_head([b"HTTP/1.1 200 OK\r\n", *to_lines(text), b"\r\n"]),
    "archived heads": lambda text: http_message.parse_headers(
        b"HTTP/1.1 200 OK\r\na: b\r\n" + to_bytes(text)
    ),
    "framing": lambda text: http_message.correct_framing(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\nContent-Length: 5 " + to_bytes(text), 7
    ),
    "messages": lambda text: http_message.split_message(to_bytes(text)),
    "chunks": lambda text: http_message.decode_transfer(
        (("transfer-encoding", "chunked"),), b"1\r\na\r\n" + to_bytes(text)
    ),
    "encodings": lambda text: encoding.decode(to_bytes(text) + b"\xe4\xf6\xfc"),
    "encodings in headers": lambda text: encoding.decode(b"a", text),
    "kinds": lambda text: media_type.detect_kind(text[:60_000], to_bytes(text), f"http://a/{text}"),
    "pages": read_page,
    "XHTML": lambda text: html.read(text, "http://a.example/", "application/xhtml+xml"),
    "attributes": lambda text: html.read(f"<a href=\"{text}\" title='{text}'>", "http://a.example/"),
    "refresh": parse_refresh,
    "refresh after a number": lambda text: parse_refresh(f"1{text}"),
    "directives": lambda text: robots.directives([("robots", text)], [("x-robots-tag", text)], "gossamer"),
    "revisit-after": lambda text: robots.directives([("revisit-after", text)]),
    "robots.txt": read_robots,
    "robots.txt, a rule": lambda text: read_robots(f"user-agent: *\ndisallow: {text}\ncrawl-delay: {text}\n"),
    "sitemaps": lambda text: read_sitemap.read(b"<urlset>" + to_bytes(text), "http://a.example/"),
    "sitemaps in lines": lambda text: read_sitemap.read(b"http://a/\n" + to_bytes(text), "http://a.example/"),
    "fingerprints": fingerprint.text_fingerprints,
    "volatile text": digest_lines,
    "sentences": sentences,
    "wrapped lines": join_wrapped_lines,
    "words of a corpus": split_words,
    "language of a page": page_language,
    "blocks": parse_html_and(html.blocks),
    "main text": parse_html_and(html.main_text),
    "words around links": parse_html_and(html.words_around),
    "sentences of a page": parse_html_and(lambda page: list(sentences_of(page, frozenset(), 1))),
    "words near another": lambda text: find_near_words(text, "abcdef", 2),
    "snippets": lambda text: Marker([Words("a"), Words("b", "prefix")], ("en",)).make_snippet(text, "en"),
    "words of a topic": lambda text: count_words([(0, text, True)]),
    "documents of the index": lambda text: make_document(
        entry(1, title=text, main=text, headings=(text,), url=f"http://a/{text}", host=text),
        WEIGHTS,
        TermTables(),
    ),
    "archived copies": lambda text: AssetInliner(EmptyStore(), EmptyStore()).inline(  # type: ignore[arg-type]
        parse_page(f"<style>{text}</style><p style='background: url({text[:9000]})'>"), "http://a/"
    ),
    "words marked in copies": lambda text: mark_words(
        parse_page(f"<p>{text}"), lambda data, most: MARKER.find_marks(data, "en", most)
    ),
    "addresses": decode_address,
    "query": parse_query,
    "terms": lambda text: [get_analyser("de")[word] for word in split_text(text)],
}


def to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def to_lines(text: str) -> list[bytes]:
    return [line + b"\r\n" for line in to_bytes(text).split(b"\n")]


class EmptyStore:
    """A store and archive without pages."""

    def page(self, _page_id: int) -> None:
        return None

    def links_from(self, _page_id: int) -> list[PageLink]:
        return []


class GuardEndedError(Exception):
    """The guard ended a reader."""


@contextmanager
def guard() -> Iterator[None]:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise GuardEndedError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, GUARD_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@cache
def list_caches() -> list[Any]:
    """Return the bounded caches of the readers; those without a bound hold tables and not what was read."""
    found = {}
    for module in [one for name, one in sys.modules.items() if name.startswith("gossamer.")]:
        for value in vars(module).values():
            if isinstance(value, CacheType) and value.cache_parameters()["maxsize"]:
                found[id(value)] = value
    return list(found.values())


def measure_s(reader: Reader, text: str, tries: int = 1) -> float:
    """Return the least processor time that a reader takes for a text."""
    times = []
    for _ in range(tries):
        for cached in list_caches():
            cached.cache_clear()
        began_s = time.process_time()
        with suppress(BadInput, ValueError):
            reader(text)
        times.append(time.process_time() - began_s)
    return min(times)


def make_text(piece: str, end: str, size: int) -> str:
    return piece * (size // len(piece)) + end


def find_growth(reader: Reader, piece: str, end: str) -> float:
    """Return by how much the time grows when a text gets four times as long; 0 if it does not look suspicious."""
    before_s = 0.0
    for size in SIZES:
        took_s = measure_s(reader, make_text(piece, end, size))
        if took_s > SHORTEST_S and took_s > SUSPICIOUS * max(before_s, SHORTEST_S / STEP):
            # A longer text may take another way, at other costs for each character: only what comes after it counts.
            # Two steps, because memory that is taken for the first time makes one step of linear work look worse.
            sizes = (size, size * LAST_STEP, size * LAST_STEP**2)
            first_s, second_s = (measure_s(reader, make_text(piece, end, one), TRIES) for one in sizes[:2])
            if second_s <= MOST_GROWTH * first_s:
                return second_s / first_s
            return min(second_s / first_s, measure_s(reader, make_text(piece, end, sizes[2])) / second_s)
        if before_s and took_s > ENOUGH_S:
            break
        before_s = took_s
    return 0.0


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_length(name: str) -> None:
    reader = READERS[name]
    measure_s(reader, "warm up")
    gc.collect()
    gc.disable()  # or a collection counts for the reader in which it happens
    slow: dict[tuple[str, str], float] = {}
    try:
        for piece in (*RUNS, *PIECES):
            for end in ENDS:
                try:
                    with guard():
                        growth = find_growth(reader, piece, end)
                except GuardEndedError:
                    growth = float("inf")
                if growth > MOST_GROWTH:
                    slow[piece, end] = growth
    finally:
        gc.enable()
    assert not slow
