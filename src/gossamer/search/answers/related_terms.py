"""Find words that are typical of the answers, and the names of links around them."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.records import Page, PageLink
from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.terms.analysis import get_analyser, split_text, to_terms
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import Store

# How many answers are read: further down they are less and less relevant.
PAGES = 20
_MOST_SHOWN = 12
_READ_CHARACTERS = 2_000
_SHORTEST_WORD = 3
_FEW_PAGES = 3
_LONGEST_NAME = 80
_MOST_LINKS = 50
# “Next” and “more” lead elsewhere from every page: such texts name nothing.
_MOST_TARGETS = 5
_MOST_TRIED = 60
_FEW_USERS = 2
_SHORT_NAME = 3
_OK = 200
_READABLE = ("html", "text", "xml", "pdf")
# An encyclopedia has a page about each picture, whose links have the caption as their text.
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|svg|webp|tiff?|bmp|og[gv]|web[mp]|mp[34]|wav)$", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|mailto:|www\.|[\w-]+(?:\.[\w-]+)+/)\S*")


class RelatedTerm(msgspec.Struct, frozen=True):
    """A word that is typical of the answers."""

    word: str
    pages: int
    """How many of the best answers have it."""
    everywhere: int
    """How many pages of the whole index have it."""


class LinkName(msgspec.Struct, frozen=True):
    """A link text around the answers that names a page."""

    name: str
    links: int
    """How many pages around the answers use it; links within a site to one of its pages count once."""
    url: str
    """The most frequent target of these links."""


def find_related_terms(
    index: Index, query: CompiledQuery, places: "Sequence[tantivy.DocAddress]"
) -> tuple[RelatedTerm, ...]:
    """Return the words that are typical of the best answers, the most typical first, without those of the query.

    A word's weight is the number of answers that have it, times the log of how much more frequent it is there than in the whole
    index: the frequency list of Stein 1997, section 5.4, measured as in Dunning 1993. Cost: reading the beginnings of twenty pages.
    """
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    counts: Counter[str] = Counter()
    pages = [index.load_page(place) for place in places[:PAGES]]
    for page in pages:
        terms = _read_terms(page)
        counts.update(terms.keys())
        for term, word in terms.items():
            spellings[term][word] += 1
    known = {
        term
        for one in query.words
        for word in split_text(one.text)
        for term in to_terms(word, query.languages)
    }
    least = 2 if len(pages) > _FEW_PAGES else 1
    weighed = [
        (_score_surprise(times, len(pages), everywhere, index.pages), term, everywhere)
        for term, times in counts.items()
        if times >= least and term not in known
        for everywhere in [index.count_pages("words", term)]
    ]
    weighed.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        RelatedTerm(spellings[term].most_common(1)[0][0], counts[term], everywhere)
        for weight, term, everywhere in weighed[:_MOST_SHOWN]
        if weight > 0
    )


def _read_terms(page: IndexedPage) -> dict[str, str]:
    """Return the terms of the beginning of a page, each with one of its words."""
    to_term = get_analyser(page.language)
    words = dict.fromkeys(split_text(f"{page.title}\n{page.text[:_READ_CHARACTERS]}"))
    long = (word for word in words if len(word) >= _SHORTEST_WORD and not word.isdigit())
    return {to_term[word]: word for word in long if not is_stop_word(word, page.language)}


def _score_surprise(times: int, pages: int, everywhere: int, all_pages: int) -> float:
    """Return how much more frequent a word is on some pages than expected, as their part of a log-likelihood ratio."""
    expected = max(1, everywhere) / max(1, all_pages)
    return times * math.log(times / pages / expected)


def find_link_names(index: Index, store: Store, pages: Sequence[int]) -> tuple[LinkName, ...]:
    """Return the texts of links on some answers, and of links to them, that name pages which the web has.

    These are the link clusters of Stein 1997, section 5.3. A name's weight is the number of its users, times the rarity of its
    rarest word. Cost: two look-ups an answer, and one for each name that is tried.
    """
    users: defaultdict[str, set[int]] = defaultdict(set)
    targets: defaultdict[str, Counter[int]] = defaultdict(Counter)
    spellings: dict[str, str] = {}
    for link in _read_links_around(store, pages[:PAGES]):
        key = link.text.strip().lower()
        # Each page of a site repeats its menus: they count once.
        users[key].add(link.source if link.spans_sites else link.target)
        targets[key][link.target] += 1
        spellings.setdefault(key, link.text)
    generic = index.generic_texts.select(list(spellings.values()))
    weighed = [
        (-len(users[key]) * _compute_rarity(index, key), key)
        for key, counts in targets.items()
        if len(counts) <= _MOST_TARGETS and spellings[key] not in generic and _is_name(key)
    ]
    found: list[LinkName] = []
    for _, key in sorted(weighed)[:_MOST_TRIED]:
        page = _find_live_target(store, targets[key])
        if page is not None and not _is_caption(key, len(users[key]), page):
            found.append(LinkName(spellings[key].strip(), len(users[key]), page.url))
        if len(found) == _MOST_SHOWN:
            break
    return tuple(found)


def _find_live_target(store: Store, targets: Counter[int]) -> Page | None:
    """Return the most frequent target that can be read: fetched, without an error, and not a picture; follow a redirect."""
    for target, _ in targets.most_common():
        page = store.page(target)
        if page is None:
            ends = [link.target for link in store.links_from(target) if link.type == "redirect"]
            page = store.page(ends[0]) if ends else None
        if (
            page is not None
            and page.status == _OK
            and page.kind in _READABLE
            and not _PICTURE.search(page.url)
        ):
            return page
    return None


def _is_caption(text: str, users: int, page: Page) -> bool:
    """Say whether a link text describes a picture rather than names its target: long, on one page, and not in the title."""
    words = set(split_text(text))
    return users < _FEW_USERS and len(words) > _SHORT_NAME and words.isdisjoint(split_text(page.title))


def _is_name(text: str) -> bool:
    """Say whether a link text can be a name: neither an address nor a number, and not too long."""
    has_word = any(not word.isdigit() for word in split_text(text))
    return has_word and 2 <= len(text) <= _LONGEST_NAME and not _ADDRESS.fullmatch(text)


def _read_links_around(store: Store, pages: Iterable[int]) -> Iterable[PageLink]:
    for page in pages:
        for link in (*store.links_from(page)[: 2 * _MOST_LINKS], *store.links_to(page, _MOST_LINKS)):
            if link.type in NAMING_TYPES and link.source != link.target:
                yield link


def _compute_rarity(index: Index, name: str) -> float:
    """Return the idf of the rarest word of a name; menus count too, since “imprint” is everywhere."""
    languages = index.languages
    fewest = min(
        max(
            index.count_pages(field, term)
            for term in to_terms(word, languages)
            for field in ("words", "rest")
        )
        for word in split_text(name)
    )
    return math.log(1 + index.pages / (1 + fewest))
