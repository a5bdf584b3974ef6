"""A world in which every page has words that no other page has, except where another page quotes or copies it."""

import hashlib
import random
import re

from tests.crawl.harness import HTML

from gossamer.lab.server.answer import LabAnswer, LabRequest

WORD = re.compile(rb"zq[0-9a-f]{12}")
PAGES_A_HOST = 500
_LINKS = 12
_OWN_WORDS = 40
_FILLER = [
    "the",
    "page",
    "tells",
    "of",
    "a",
    "river",
    "and",
    "of",
    "its",
    "people",
    "and",
    "of",
    "the",
    "way",
    "in",
    "which",
    "they",
    "kept",
    "their",
    "letters",
    "for",
    "a",
    "long",
    "time",
]


def make_word(page: int, number: int, version: int = 0) -> str:
    """Return a word that only one page has."""
    return "zq" + hashlib.blake2b(f"{page} {number} {version}".encode(), digest_size=6).hexdigest()


class MarkedWorld:
    """Pages on several hosts with links, quotes, copies, redirects, and texts that change from one visit to the next."""

    def __init__(self, pages: int, port: int = 0) -> None:
        self.pages = pages
        self.port = port
        self.version = 0

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request."""
        host = int(asked.host.partition(":")[0].split(".")[2])
        if asked.target == "/robots.txt":
            return LabAnswer(404)
        kind, _, number = asked.target.strip("/").removesuffix(".html").partition("/")
        if kind == "":
            hubs = (f"<a href='{self.url(at)}'>hub</a>" for at in range(0, self.pages, 40))
            return LabAnswer(200, HTML, ("<title>start</title>" + "".join(hubs)).encode())
        if not number.isdecimal() or int(number) >= self.pages or int(number) // PAGES_A_HOST != host:
            return LabAnswer(404)
        page = int(number)
        if kind == "old":
            return LabAnswer(301, (("Location", self.url(page)),))
        return LabAnswer(200, HTML, self.write(page).encode())

    def hosts(self) -> list[str]:
        """Return the hosts."""
        return [f"127.0.{at}.1" for at in range(-(-self.pages // PAGES_A_HOST))]

    def url(self, page: int, kind: str = "p") -> str:
        """Return the URL of a page: itself, its copy, or an address that redirects to it."""
        return f"http://127.0.{page // PAGES_A_HOST}.1:{self.port}/{kind}/{page}.html"

    def title_word(self, page: int) -> str:
        """Return the first word of a page's title."""
        return make_word(page, 0)

    def words(self, page: int) -> set[str]:
        """Return all words that only a page has, in all of its versions."""
        versions = range(self.version + 1 if self.changes(page) else 1)
        return {self.title_word(page)} | {
            make_word(page, number, version) for version in versions for number in range(1, _OWN_WORDS)
        }

    def quoted(self, page: int) -> int | None:
        """Return the page that a page quotes."""
        return (page * 7 + 3) % self.pages if page % 6 == 0 else None

    def has_copy(self, page: int) -> bool:
        """Say whether a page is also at another URL, with the same bytes."""
        return page % 25 == 7

    def has_redirect(self, page: int) -> bool:
        """Say whether another address redirects to a page."""
        return page % 20 == 11

    def changes(self, page: int) -> bool:
        """Say whether a page has another text in each version of the world."""
        return page % 15 == 4

    def quotes(self, page: int) -> set[str]:
        """Return the words of other pages that a page shows."""
        shown = {make_word(quoted, 1) for quoted in [self.quoted(page)] if quoted is not None}
        return shown | {self.title_word(at) for at in self.links(page) if self._names(page, at)}

    def links(self, page: int) -> list[int]:
        """Return the pages that a page links to."""
        draw = random.Random(page)
        near = [at for at in range(page + 1, page + 5) if at < self.pages]
        return [*near, *(draw.randrange(self.pages) for _ in range(_LINKS - len(near)))]

    def write(self, page: int) -> str:
        """Write a page."""
        version = self.version if self.changes(page) else 0
        quoted = self.quoted(page)
        own = [make_word(page, number, version) for number in range(1, _OWN_WORDS)]
        text = " ".join(f"{word} {_FILLER[at % len(_FILLER)]}" for at, word in enumerate(own))
        links = [f"<li><a href='{self.url(at)}'>{self._anchor(page, at)}</a></li>" for at in self.links(page)]
        for at in self.links(page):
            if self.has_copy(at):
                links.append(f"<li><a href='{self.url(at, 'copy')}'>copy</a></li>")
            if self.has_redirect(at):
                links.append(f"<li><a href='{self.url(at, 'old')}'>former</a></li>")
        quote = f"<p>It says {make_word(quoted, 1)} of it.</p>" if quoted is not None else ""
        return (
            f"<html lang=en><title>{self.title_word(page)} of the river</title><h1>A page</h1>"
            f"<p>{text}</p>{quote}<ul>{''.join(links)}</ul>"
        )

    def _names(self, page: int, target: int) -> bool:
        return (page + target) % 9 == 0

    def _anchor(self, page: int, target: int) -> str:
        return self.title_word(target) if self._names(page, target) else "further on"
