"""Pages and queries for measurements of searching: made of sentences, or real ones of recordings and folders."""

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from gossamer.lab.recordings.read_warc import read_answer, read_records
from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html import read
from gossamer.net.html.document import Document
from gossamer.search.index.page_entry import Entry
from gossamer.text.language.detection.page_language import page_language
from search_quality import COLLECTIONS, load_named

QUERIES = 200
_SENTENCES = (5, 60)
_SITES = 97
_MOST_BYTES = 400_000
# Shorter ones only send elsewhere: of Rust's documentation, every third.
_FEWEST_CHARACTERS = 500
_LONGEST_QUERY = 5


def mix_pages(sources: list[Path], pages: int) -> tuple[list[Entry], list[Entry]]:
    """Return real pages, at most half of all, and made ones for the rest."""
    found = list(read_pages(sources, pages // 2))
    return found, list(make_pages(pages - len(found), pages))


def make_pages(pages: int, first: int = 0) -> Iterator[Entry]:
    """Make pages of sentences of the test collections, drawn by a seeded hand, and number them from the first on."""
    hand = random.Random(6)
    texts = [one["text"] for name in COLLECTIONS for one in load_named(name).documents]
    sentences = [part for text in texts for part in re.split(r"(?<= \.) ", text) if len(part) > 20]
    for number in range(pages):
        text = "\n".join(hand.choices(sentences, k=hand.randint(*_SENTENCES)))
        title = " ".join(hand.choice(sentences).split()[:6])
        yield _make_entry(
            first + number, f"www.site{number % _SITES}.example", str(number), title, text, "en"
        )


def read_pages(sources: list[Path], pages: int) -> Iterator[Entry]:
    """Read pages of recordings (WARC) and of folders of HTML files, drawn by a seeded hand if there are more."""
    readers = [
        reader
        for source in sources
        for reader in (_read_folder if source.is_dir() else _read_recording)(source)
    ]
    number = 0
    for page in random.Random(9).sample(readers, len(readers)):
        if number == pages:
            return
        document = page()
        if len(document.text) < _FEWEST_CHARACTERS:
            continue
        host, _, path = document.url.removeprefix("http://").partition("/")
        yield _make_entry(number, host, path, document.title, document.text, page_language(document.text))
        number += 1


def _read_folder(folder: Path) -> Iterator[Callable[[], Document]]:
    """Yield what reads each HTML file; each folder in this one is a site."""
    for path in sorted(folder.rglob("*.html")):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            parts = path.relative_to(folder).parts
            host = f"{parts[0] if len(parts) > 1 else folder.name}.{folder.name}.example".lower()
            url = f"http://{host}/{'/'.join(parts)}"
            yield partial(_read_file, path, url)


def _read_recording(path: Path) -> Iterator[Callable[[], Document]]:
    """Yield what reads each page of a recording."""
    for record in read_records(path):
        if record.url:
            yield partial(_read_record, path, record.offset, record.url)


def _read_file(path: Path, url: str) -> Document:
    return read(path.read_bytes(), url, "text/html")


def _read_record(path: Path, offset: int, url: str) -> Document:
    return read(read_answer(path, offset, 0.0).body, url, "text/html")


def _make_entry(number: int, host: str, path: str, title: str, text: str, language: str) -> Entry:
    _, simhash, words = text_fingerprints(text)
    return Entry(
        id=number,
        url=f"http://{host}/{path}",
        host=host,
        site=host.removeprefix("www."),
        title=title,
        main=text,
        language=language,
        kind="html",
        words=words,
        simhash=simhash,
    )


def make_collection_queries() -> list[str]:
    """Make queries of words that stand next to each other in those of the test collections."""
    return _cut_pieces([one["text"] for name in COLLECTIONS for one in load_named(name).queries], 7)


def make_title_queries(pages: list[Entry]) -> list[str]:
    """Make queries of words that stand next to each other in the titles of pages."""
    return _cut_pieces([page.title for page in pages if page.title], 8)


def _cut_pieces(texts: list[str], seed: int) -> list[str]:
    hand = random.Random(seed)
    split = [words for words in (re.findall(r"[^\W_]+", text.lower()) for text in texts) if words]
    found: list[str] = []
    while len(found) < QUERIES:
        words = hand.choice(split)
        at = hand.randrange(len(words))
        found.append(" ".join(words[at : at + hand.randint(2, _LONGEST_QUERY)]))
    return found
