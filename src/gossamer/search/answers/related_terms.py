"""What stands around the answers: words that are typical of them, and names by which pages near them are linked."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.records import PageLink
from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import Shown
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import NAMING
from gossamer.search.query.compile_query import Asked
from gossamer.search.terms.analysis import analyser, forms, words
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import Store

# As many answers are looked at: further down they are less and less about what was asked.
PAGES = 20
_MOST_SHOWN = 12
_READ_CHARACTERS = 2_000
_SHORTEST_WORD = 3
_FEW_PAGES = 3
_LONGEST_NAME = 80
_MOST_LINKS = 50
# “Next” and “more” lead to something else from every page: such texts name nothing.
_MOST_TARGETS = 5
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|mailto:|www\.|[\w-]+(?:\.[\w-]+)+/)\S*")


class RelatedTerm(msgspec.Struct, frozen=True):
    """A word that is typical of the answers."""

    word: str
    pages: int
    """On how many of the best answers it stands."""
    everywhere: int
    """On how many pages of the whole index."""


class LinkName(msgspec.Struct, frozen=True):
    """A name by which pages around the answers are linked."""

    name: str
    links: int
    """How many pages around the answers use it; those of one site for one of its own pages count once."""
    url: str
    """Where most of these links lead."""


def related_terms(
    index: Index, asked: Asked, places: "Sequence[tantivy.DocAddress]"
) -> tuple[RelatedTerm, ...]:
    """Return the words that are typical of the best answers, the most typical first, without those asked for.

    A word counts by how many of them have it, times how much more often that is than in the whole index: the frequency
    list of seed 003, section 5.4, measured as in Dunning 1993. Cost: reading the beginnings of twenty pages.
    """
    spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
    having: Counter[str] = Counter()
    pages = [index.shown(place) for place in places[:PAGES]]
    for page in pages:
        terms = _spelt_terms(page)
        having.update(terms.keys())
        for term, word in terms.items():
            spelt[term][word] += 1
    known = {term for one in asked.words for word in words(one.text) for term in forms(word, asked.languages)}
    least = 2 if len(pages) > _FEW_PAGES else 1
    weighed = [
        (_surprise(times, len(pages), everywhere, index.pages), term, everywhere)
        for term, times in having.items()
        if times >= least and term not in known
        for everywhere in [index.having("words", term)]
    ]
    weighed.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        RelatedTerm(spelt[term].most_common(1)[0][0], having[term], everywhere)
        for weight, term, everywhere in weighed[:_MOST_SHOWN]
        if weight > 0
    )


def _spelt_terms(page: Shown) -> dict[str, str]:
    """Return the terms of the beginning of a page, each with a word that it was made of."""
    reduced = analyser(page.language)
    read = dict.fromkeys(words(f"{page.title}\n{page.text[:_READ_CHARACTERS]}"))
    speaking = (word for word in read if len(word) >= _SHORTEST_WORD and not word.isdigit())
    return {reduced[word]: word for word in speaking if not is_stop_word(word, page.language)}


def _surprise(times: int, pages: int, everywhere: int, all_pages: int) -> float:
    """Return how far a word stands out on some pages, as their part of a log-likelihood ratio."""
    expected = max(1, everywhere) / max(1, all_pages)
    return times * math.log(times / pages / expected)


def link_names(index: Index, store: Store, pages: Sequence[int]) -> tuple[LinkName, ...]:
    """Return the names by which pages around some answers are linked: on these pages, and on pages that link to them.

    The link clusters of seed 003, section 5.3. A name counts by how many use it, and by how rare its rarest word is.
    Cost: two look-ups a page.
    """
    users: defaultdict[str, set[int]] = defaultdict(set)
    targets: defaultdict[str, Counter[int]] = defaultdict(Counter)
    spelt: dict[str, str] = {}
    for link in _links_around(store, pages[:PAGES]):
        key = link.text.strip().lower()
        # Each page of a site repeats its menus: they are one voice.
        users[key].add(link.source if link.spans_sites else link.target)
        targets[key][link.target] += 1
        spelt.setdefault(key, link.text)
    empty = index.empty_texts.among(list(spelt.values()))
    weighed = [
        (-len(users[key]) * _rarity(index, key), key)
        for key, led_to in targets.items()
        if len(led_to) <= _MOST_TARGETS and spelt[key] not in empty and _is_name(key)
    ]
    best = [key for _, key in sorted(weighed)[:_MOST_SHOWN]]
    ends = {key: targets[key].most_common(1)[0][0] for key in best}
    urls = store.urls(ends.values())
    return tuple(LinkName(spelt[key].strip(), len(users[key]), urls.get(ends[key], "")) for key in best)


def _is_name(text: str) -> bool:
    """Say whether a text of a link can be a name: neither an address nor a number, and not too long."""
    has_word = any(not word.isdigit() for word in words(text))
    return has_word and 2 <= len(text) <= _LONGEST_NAME and not _ADDRESS.fullmatch(text)


def _links_around(store: Store, pages: Iterable[int]) -> Iterable[PageLink]:
    for page in pages:
        for link in (*store.links_from(page)[: 2 * _MOST_LINKS], *store.links_to(page, _MOST_LINKS)):
            if link.type in NAMING and link.source != link.target:
                yield link


def _rarity(index: Index, name: str) -> float:
    """Return the idf of the rarest word of a name, menus included: “imprint” is everywhere."""
    languages = index.languages
    fewest = min(
        max(index.having(field, term) for term in forms(word, languages) for field in ("words", "rest"))
        for word in words(name)
    )
    return math.log(1 + index.pages / (1 + fewest))
