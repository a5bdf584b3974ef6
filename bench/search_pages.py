"""Pages and queries for measurements of searching: made of sentences, or read from folders of real HTML pages."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html import read
from gossamer.search.entries import Entry
from gossamer.text.language.pages import page_language
from search_quality import COLLECTIONS, named

QUERIES = 200
_SENTENCES = (5, 60)
_SITES = 97
_MOST_BYTES = 400_000
# Shorter ones only send elsewhere: of Rust's documentation, every third.
_FEWEST_CHARACTERS = 500
_LONGEST_QUERY = 5


def mixed(folders: list[Path], pages: int) -> tuple[list[Entry], list[Entry]]:
    """Return real pages, at most half of all, and made ones for the rest."""
    found = list(real(folders, pages // 2))
    return found, list(made(pages - len(found), pages))


def made(pages: int, first: int = 0) -> Iterator[Entry]:
    """Make pages of sentences of the test collections, drawn by a seeded hand, and number them from the first on."""
    hand = random.Random(6)
    texts = [one["text"] for name in COLLECTIONS for one in named(name).documents]
    sentences = [part for text in texts for part in re.split(r"(?<= \.) ", text) if len(part) > 20]
    for number in range(pages):
        text = "\n".join(hand.choices(sentences, k=hand.randint(*_SENTENCES)))
        title = " ".join(hand.choice(sentences).split()[:6])
        yield _entry(first + number, f"www.site{number % _SITES}.example", str(number), title, text, "en")


def real(folders: list[Path], pages: int) -> Iterator[Entry]:
    """Read pages from the HTML files below some folders, drawn by a seeded hand if there are more; each folder in them is a site."""
    files = [
        (path, folder)
        for folder in folders
        for path in sorted(folder.rglob("*.html"))
        if path.is_file() and path.stat().st_size <= _MOST_BYTES
    ]
    number = 0
    for path, folder in random.Random(9).sample(files, len(files)):
        if number == pages:
            return
        parts = path.relative_to(folder).parts
        document = read(path.read_bytes(), f"http://{folder.name}.example/{path.name}", "text/html")
        if len(document.text) < _FEWEST_CHARACTERS:
            continue
        host = f"{parts[0] if len(parts) > 1 else folder.name}.{folder.name}.example".lower()
        language = page_language(document.text)
        yield _entry(number, host, "/".join(parts), document.title, document.text, language)
        number += 1


def _entry(number: int, host: str, path: str, title: str, text: str, language: str) -> Entry:
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


def queries_of_collections() -> list[str]:
    """Make queries of words that stand next to each other in those of the test collections."""
    return _pieces([one["text"] for name in COLLECTIONS for one in named(name).queries], 7)


def queries_of_titles(pages: list[Entry]) -> list[str]:
    """Make queries of words that stand next to each other in the titles of pages."""
    return _pieces([page.title for page in pages if page.title], 8)


def _pieces(texts: list[str], seed: int) -> list[str]:
    hand = random.Random(seed)
    split = [words for words in (re.findall(r"[^\W_]+", text.lower()) for text in texts) if words]
    found: list[str] = []
    while len(found) < QUERIES:
        words = hand.choice(split)
        at = hand.randrange(len(words))
        found.append(" ".join(words[at : at + hand.randint(2, _LONGEST_QUERY)]))
    return found
