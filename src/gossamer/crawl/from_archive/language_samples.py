"""Collect sentences for language training from a web's pages, labelled by country domain and marks."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from pathlib import Path

from gossamer.crawl.from_archive.archived_pages import read_archived_pages
from gossamer.errors import BadInput
from gossamer.net import html, media_type
from gossamer.net.encoding import decode
from gossamer.net.html.document import Document
from gossamer.net.main_text.sentences import sentences
from gossamer.net.main_text.text_blocks import blocks
from gossamer.store.batch import Store
from gossamer.text.language.training.collect_sentences import SentenceCollector
from gossamer.text.language.training.page_labels import Label, label_page

LANGUAGE_MARK = "language"
"""The mark with which a classifier or a person names the language of a page."""
# Tables, lists and menus have no sentences (Stein 1997, section 4.5).
_WITH_SENTENCES = frozenset(("paragraph", "quote", "other"))
_MOST_IN_LINKS = 0.3
# A folder may be one long file: it is cut into pages, so that some can be held out.
_SENTENCES_OF_A_PAGE = 20


def collect_from_web(
    store: Store,
    archive: Path,
    collector: SentenceCollector,
    on_progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Collect the sentences of all pages whose domain or marks name their language."""
    pages = max(1, store.counts()["pages"])
    for number, (page, document) in enumerate(read_archived_pages(store, archive)):
        label = label_page(page.host, page.declared_language, page.marks.get(LANGUAGE_MARK, ""))
        if label is not None:
            collector.add(label, page.id, sentences_of(document))
        on_progress(min(1.0, number / pages))


def collect_from_folder(language: str, folder: Path, collector: SentenceCollector) -> None:
    """Collect the sentences of all texts in a folder, plain or HTML, as samples of a language."""
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    if not files:
        raise BadInput(f"there are no texts of {language} in {folder}: name a folder with text or HTML files")
    found = (sentence for path in files for sentence in read_sentences(path.read_bytes(), path.name))
    for number in count(1):
        page = list(islice(found, _SENTENCES_OF_A_PAGE))
        if not page:
            break
        collector.add(Label(language, True), number, page)


def sentences_of(document: Document) -> Iterator[str]:
    """Yield the sentences of a page, in page order."""
    for block in blocks(document):
        if block.kind in _WITH_SENTENCES and block.link_density <= _MOST_IN_LINKS:
            yield from sentences(block)


def read_sentences(body: bytes, name: str) -> Iterable[str]:
    """Return the sentences of a file; none if it is not text."""
    kind = media_type.detect_kind(None, body, name)
    if kind == "html":
        return sentences_of(html.read(body, name))
    return sentences(decode(body)[0]) if kind == "text" else ()
