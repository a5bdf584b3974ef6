"""Reads files on disk into the facts that a check needs, each once: HTML, Markdown, and what these bring with them."""

import posixpath
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from gossamer.errors import BadInput
from gossamer.link_check.facts.page_facts import (
    KIND_NUMBERS,
    UNCHECKED_KINDS,
    FactsPacker,
    PageFacts,
    ReadFacts,
    pack_fragments,
    read_css_facts,
    read_html_facts,
    read_sitemap_facts,
)
from gossamer.link_check.files.file_tree import FileTree
from gossamer.link_check.files.markdown_page import read_markdown
from gossamer.net import fingerprint, html
from gossamer.net import url as urls
from gossamer.net.encoding import as_utf8
from gossamer.net.html.references import Reference
from gossamer.records import Page
from gossamer.text.language.detection.page_language import page_language

_MOST_BYTES = 50_000_000
_SITEMAP = "sitemap.xml"
_STYLE_NUMBERS = [KIND_NUMBERS["stylesheet"], KIND_NUMBERS["css-import"]]
_LIST_NUMBERS = [KIND_NUMBERS["feed"], KIND_NUMBERS["sitemap"]]
_LIST_SUFFIXES = (".xml", ".gz", ".rss", ".atom", ".txt")


class FileFacts:
    """The facts of files, and of pages of the web that they link to, in memory."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._facts: dict[int, PageFacts] = {}
        self._urls: dict[int, str] = {}
        self.pages: dict[int, Page] = {}
        """The HTML files whose content is judged."""
        self.sources: set[int] = set()
        """The files whose links are checked."""
        self._sheets: dict[str, bool] = {}
        """Style sheets (True), sitemaps and feeds (False) that were found and not read yet."""

    # As `KeptFacts` of `read_links` wants it.

    def read(self) -> Iterator[tuple[int, PageFacts]]:
        """Yield all facts, by page id."""
        yield from sorted(self._facts.items())

    def urls(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the names of files and the URLs of the web that these numbers stand for."""
        return {number: self._tree.name(url) for number, url in self.real_urls(ids).items()}

    def real_urls(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs that these numbers stand for, those of files too."""
        return {number: self._urls[number] for number in ids if number in self._urls}

    def facts(self, page: int) -> PageFacts | None:
        """Return the facts of a file or of a page of the web."""
        return self._facts.get(page)

    def add_web_page(self, page: int, url: str, facts: PageFacts) -> None:
        """Take in which fragments a page of the web has."""
        self._urls.setdefault(page, url)
        self._facts.setdefault(page, PageFacts(ids=facts.ids, is_html=facts.is_html))

    def number(self, path: Path) -> int:
        """Return the page id of a file."""
        url = self._tree.url(path)
        number = urls.page_id(url)
        self._urls[number] = url
        return number

    # Reading

    def read_all(self) -> None:
        """Read the files that the user named, and all style sheets, sitemaps and feeds that belong to them."""
        for path in self._tree.files:
            self._read_source(path)
        for folder in self._tree.folders:
            if (folder / _SITEMAP).is_file():
                self._sheets.setdefault(self._tree.url(folder / _SITEMAP), False)
        while self._sheets:
            url, is_style = self._sheets.popitem()
            sheet = self._tree.path(url)
            if sheet is not None and urls.page_id(url) not in self.sources and sheet.is_file():
                self._read_sheet(sheet, is_style)

    def read_fragments(self, path: Path) -> None:
        """Read which fragments a file has that is no source: one outside of the folders that were named."""
        number = self.number(path)
        if number not in self._facts and self._tree.is_page(path) and path.is_file():
            self._facts[number] = self._read_page(path, read_bytes(path)).facts

    def _read_source(self, path: Path) -> None:
        number, body = self.number(path), read_bytes(path)
        read = self._read_page(path, body)
        if not self._tree.is_markdown(path):
            self.pages[number] = self._describe(number, path, body, read.facts)
        self._keep(number, read)

    def _read_page(self, path: Path, body: bytes) -> ReadFacts:
        make_resolver, url = self._tree.make_resolver(path), self._tree.url(path)
        if not self._tree.is_markdown(path):
            return read_html_facts(body, url, None, make_resolver)
        source = read_text(body)
        found = read_markdown(source.decode())
        packed = FactsPacker(make_resolver(url), False, source)
        packed.add_all(
            Reference(one.kind, one.address, one.offset, 0, "", "attribute", False)
            for one in found.links
            if one.kind not in UNCHECKED_KINDS
        )
        bare = array("I", [offset for offset, _ in found.bare_images])
        return packed.finish(ids=pack_fragments(found.targets), bare_images=bare.tobytes(), is_html=True)

    def _read_sheet(self, path: Path, is_style: bool) -> None:
        number, body = self.number(path), read_bytes(path)
        make_resolver, url = self._tree.make_resolver(path), self._tree.url(path)
        read = (
            read_css_facts(body, url, make_resolver)
            if is_style
            else read_sitemap_facts(body, url, None, make_resolver)
        )
        self._keep(number, read)

    def _describe(self, number: int, path: Path, body: bytes, facts: PageFacts) -> Page:
        """Return what is to be judged of the text of a page."""
        document = html.read(body, self._tree.url(path), None, most_links=0)
        words = fingerprint.text_fingerprints(document.text)[2]
        language = page_language(document.text) if document.lang else ""
        return Page(
            number, self._tree.name(self._tree.url(path)), "", 0, 0, 0.0, 0, "html", title=facts.title or "",
            language=language, declared_language=document.lang, words=words,
        )  # fmt: skip

    def _keep(self, number: int, read: ReadFacts) -> None:
        self._facts[number] = read.facts
        self.sources.add(number)
        self._urls.update((page, url) for url, page in read.urls.items())
        kinds = np.frombuffer(read.facts.kinds, np.uint8)
        targets = np.frombuffer(read.facts.targets, np.int64)
        for is_style, numbers in ((True, _STYLE_NUMBERS), (False, _LIST_NUMBERS)):
            for page in set(targets[np.isin(kinds, numbers)].tolist()):
                url = self._urls[page]
                if is_style or posixpath.splitext(url)[1].lower() in _LIST_SUFFIXES:
                    self._sheets.setdefault(url, is_style)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, up to a limit."""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def read_text(body: bytes) -> bytes:
    """Return a page in UTF-8, as its places are counted."""
    return as_utf8(body, None)[0].decode("utf-8", "replace").encode()
