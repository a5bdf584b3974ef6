"""Turn an entry into a document of the engine: which text goes into which field."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from gossamer.net.url.public_suffix import is_address
from gossamer.search.engine import tantivy
from gossamer.search.field_weights import RankingWeights
from gossamer.search.index.page_entry import Entry, pack_entry
from gossamer.search.index.page_names import NAMES_FIELD, list_name_tokens
from gossamer.search.terms.analysis import TermTables, get_analyser, split_text
from gossamer.search.terms.term_finder import LONGEST_TERM
from gossamer.search.terms.term_table import TermTable

PARTS_FIELD = "parts"
EXTRA_FIELD = "extra"
"""Terms of the address and of text outside the main text that are nowhere else on the page."""
EXACT_FIELD = "exact"
_LONGEST_MARK = 100
_MOST_LABELS = 127
"""A name in DNS has no more (RFC 1035, 2.3.4); an imported file may name hosts that are none."""


def make_document(
    entry: Entry, weights: RankingWeights, tables: TermTables, exact: bool = False
) -> "tantivy.Document":
    """Return the document of an entry; with its words as they are written, if exact search is to use them."""
    document = tantivy.Document()
    _add_texts(document, entry, weights, tables[entry.language])
    if exact:
        document.add_text(EXACT_FIELD, _join_different_words(entry.title, entry.main, entry.rest))
    names = {
        "host": [entry.host],
        "domain": list_domains(entry.host),
        "marks": list_mark_names(entry.marks),
    }
    for field, values in names.items():
        for value in filter(None, values):
            document.add_text(field, value)
    # Unknown values too: counting is twice as fast by a field that all pages have.
    for field, value in (("language", entry.language), ("site", entry.site), ("kind", entry.kind)):
        document.add_text(field, value)
    numbers = {"id": entry.id, "date": int(entry.date_s), "depth": entry.depth}
    numbers |= {"simhash": entry.simhash, "length": entry.words, "stamp": entry.stamp}
    for field, number in numbers.items():
        document.add_integer(field, number)
    document.add_text("shown", pack_entry(entry))
    return document


def _add_texts(document: "tantivy.Document", entry: Entry, weights: RankingWeights, table: TermTable) -> None:
    """Add the fields that are searched by words, as terms."""
    analyser = get_analyser(entry.language)
    seen: set[str] | None = set() if analyser.has_compounds else None
    table.begin_page()
    title = table.join(entry.title, seen)
    headings = list(map(table.join, entry.headings))
    anchors = [table.join(text, seen) for text in entry.anchors]
    texts = [*[title] * weights.title_times, *headings * weights.headings_times, table.join(entry.main, seen)]
    for text in texts + anchors * weights.anchors_times:
        document.add_text("words", text)
    document.add_text("title", title)
    extra = []
    for field, text in (("rest", entry.rest), ("url", strip_address(entry.url))):
        # A word must not count in two fields.
        terms, apart = table.join_apart(text)
        document.add_text(field, terms)
        extra += [apart] if apart else []
    document.add_text(EXTRA_FIELD, " ".join(extra))
    for token in list_name_tokens(entry.title, anchors, table.join):
        document.add_text(NAMES_FIELD, token)
    if seen:
        document.add_text(PARTS_FIELD, analyser.join_parts(seen))


def _join_different_words(*texts: str) -> str:
    """Return the different words of some texts, joined by spaces; what is too long to be a word is left out."""
    words = {word for text in texts for word in split_text(text)}
    return " ".join(word for word in sorted(words) if len(word) <= LONGEST_TERM)


def strip_address(url: str) -> str:
    """Return an address without the words that every address has, such as https and www."""
    return re.sub(r"^\w+://(?:www\.)?|\.(?:html?|php|aspx?|jsp)\b", " ", unquote(url))


def list_mark_names(marks: Mapping[str, str]) -> list[str]:
    """Return the values of `mark:` that match some marks: each name alone, and with its value."""
    names = [text for name, value in marks.items() for text in (name, f"{name}={value}")]
    return [text.lower()[:_LONGEST_MARK] for text in names]


def list_domains(host: str) -> list[str]:
    """Return the values of `site:` that match a host: its own name, and the domains above it."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    labels = [name] if is_address(name) else name.split(".")[-_MOST_LABELS:]
    above = [".".join(labels[at:]) for at in range(max(1, len(labels) - 1))]
    return list(dict.fromkeys([host, *above]))
