"""From an entry to the document that the engine takes: what goes into which field."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from gossamer.net.url.public_suffix import is_address
from gossamer.search.engine import tantivy
from gossamer.search.field_weights import Weights
from gossamer.search.index.page_entry import Entry, packed
from gossamer.search.terms.analysis import analyser

PARTS_FIELD = "parts"
_LONGEST_MARK = 100


def document_of(entry: Entry, weights: Weights) -> "tantivy.Document":
    """Return the document of an entry."""
    document = tantivy.Document()
    _add_texts(document, entry, weights)
    names = {"host": [entry.host], "domain": domains(entry.host), "marks": mark_names(entry.marks)}
    for field, values in names.items():
        for value in filter(None, values):
            document.add_text(field, value)
    # Also where nothing is known: pages are counted twice as fast by a field that all of them have.
    for field, value in (("language", entry.language), ("site", entry.site), ("kind", entry.kind)):
        document.add_text(field, value)
    numbers = {"id": entry.id, "date": int(entry.date_s), "depth": entry.depth}
    numbers |= {"simhash": entry.simhash, "length": entry.words, "stamp": entry.stamp}
    for field, number in numbers.items():
        document.add_integer(field, number)
    document.add_text("shown", packed(entry))
    return document


def _add_texts(document: "tantivy.Document", entry: Entry, weights: Weights) -> None:
    """Add what is looked for by words, as terms."""
    by_language = analyser(entry.language)
    terms = by_language.joined
    met: set[str] | None = set() if by_language.has_compounds else None
    title = terms(entry.title, met)
    document.add_text("title", title)
    for _ in range(weights.title_times):
        document.add_text("words", title)
    for _ in range(weights.headings_times):
        for heading in entry.headings:
            document.add_text("words", terms(heading))
    document.add_text("words", terms(entry.main, met))
    document.add_text("rest", terms(entry.rest))
    for text in entry.anchors:
        document.add_text("anchors", terms(text, met))
    document.add_text("url", terms(address_words(entry.url)))
    if met:
        document.add_text(PARTS_FIELD, by_language.joined_parts(met))


def address_words(url: str) -> str:
    """Return the words of an address, without those that every address has."""
    return re.sub(r"^\w+://(?:www\.)?|\.(?:html?|php|aspx?|jsp)\b", " ", unquote(url))


def mark_names(marks: Mapping[str, str]) -> list[str]:
    """Return what marks can be asked for by: the name of each alone, and with its value."""
    told = [said for name, value in marks.items() for said in (name, f"{name}={value}")]
    return [said.lower()[:_LONGEST_MARK] for said in told]


def domains(host: str) -> list[str]:
    """Return all names that a host can be asked for by `site:`: its own, and the domains above it."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    labels = [name] if is_address(name) else name.split(".")
    above = [".".join(labels[at:]) for at in range(max(1, len(labels) - 1))]
    return list(dict.fromkeys([host, *above]))
