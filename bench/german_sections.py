"""A German test collection from Debian's translated handbooks, whose truth comes from their English editions.

A document is one section of a German handbook that has the same anchor in the English one, and enough German text. A query is a line of
`german_sections.tsv`: what a person types, and patterns. A section is relevant if its English edition matches all of them. The
truth knows nothing about German words, and so favours no way to find them.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from gossamer.net.html import read
from guides import ROOT, is_translated_text
from search_quality import Collection

QUERIES = Path(__file__).with_suffix(".tsv")
Editions = tuple[tuple[str, dict[str, str]], ...]
"""The translated pages, and by what a part of their paths is replaced in those of the English edition."""
_EDITIONS: Editions = (
    ("doc/debian-handbook/html/de-DE/*.html", {"de-DE": "en-US"}),
    ("doc/installation-guide-amd64/de/*.html", {"/de/": "/en/"}),
    ("doc/debian/FAQ/de/*.html", {"/de/": "/", ".de.": ".en."}),
    ("developers-reference/de/*.html", {"/de/": "/"}),
    ("debian-reference/*.de.html", {".de.": ".en."}),
    ("doc/maint-guide-de/html/*.de.html", {"-de/": "/", ".de.": ".en."}),
)
_SINGLE_PAGE = "developers-reference.html"  # has all sections a second time
_HEADING = re.compile(r"<h[1-5]\b.*?</h[1-5]>", re.DOTALL)
_ANCHOR = re.compile(r'\bid="([^"]+)"')
# How far before a heading its anchor may stand.
_NEAR_CHARACTERS = 300
_LEAST_CHARACTERS = 200


def load_german(root: Path = ROOT) -> Collection:
    """Read the collection; without documents if the handbooks are not installed."""
    pairs = sorted(iterate_sections(root))
    documents = [{"id": name, "title": "", "text": german} for name, german, _ in pairs]
    queries, relevant = [], {}
    for number, (query, patterns) in enumerate(read_queries()):
        queries.append({"id": str(number), "text": query, "title": ""})
        relevant[str(number)] = {
            name: 1 for name, _, english in pairs if all(one.search(english) for one in patterns)
        }
    return Collection(documents, queries, relevant)


def read_queries(path: Path = QUERIES) -> list[tuple[str, list[re.Pattern[str]]]]:
    """Return each query with the patterns that the English edition of a relevant section matches."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [
        (query, [re.compile(rf"\b(?:{one})", re.IGNORECASE) for one in patterns])
        for query, *patterns in lines
    ]


def compute_digest(collection: Collection) -> str:
    """Return a digest of the documents and of the truth."""
    state = hashlib.sha256(QUERIES.read_bytes())
    for one in collection.documents:
        state.update(one["id"].encode() + b"\n" + one["text"].encode())
    return state.hexdigest()[:16]


def iterate_sections(root: Path, editions: Editions = _EDITIONS) -> Iterator[tuple[str, str, str]]:
    """Yield the name of each section, its translated and its English text."""
    for glob, replaced in editions:
        for path in sorted([*root.glob(glob), *root.glob(glob + ".gz")]):
            place = path.relative_to(root).as_posix()
            source = place
            for german, english in replaced.items():
                source = source.replace(german, english)
            if path.name == _SINGLE_PAGE:
                continue
            sections = _split_sections(root / source)
            for anchor, text in _split_sections(path).items():
                other = sections.get(anchor, "")
                if other and len(text) >= _LEAST_CHARACTERS and is_translated_text(text, other):
                    yield f"{place}#{anchor}", text, other


def _split_sections(path: Path) -> dict[str, str]:
    """Return the text of each section of a page, by its anchor."""
    if not path.is_file():
        return {}
    body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    source = body.decode("utf-8", "replace")
    headings = list(_HEADING.finditer(source))
    ends = [*(one.start() for one in headings[1:]), len(source)]
    found = {}
    for heading, end in zip(headings, ends, strict=True):
        anchors = _ANCHOR.findall(heading[0]) or _ANCHOR.findall(
            source[max(0, heading.start() - _NEAR_CHARACTERS) : heading.start()]
        )
        if anchors:
            fragment = f"<body>{source[heading.start() : end]}</body>".encode()
            found[anchors[-1]] = read(fragment, "http://guides.example/", "text/html; charset=utf-8").text
    return found
