"""Exchange statistics between webs that are searched together: what each tells about a query, and what all tell each."""

from collections.abc import Iterable, Sequence
from typing import Annotated
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Meta

from gossamer.errors import BadInput
from gossamer.search.index.search_index import Index, choose_languages
from gossamer.search.index.whole_statistics import WholeStatistics
from gossamer.search.query.parse_query import parse
from gossamer.search.query.query_statistics import (
    MOST_TERMS,
    TermCount,
    count_query_terms,
    list_query_terms,
)
from gossamer.search.ranking.correct_lengths import LENGTH_FIELD, measure_length
from gossamer.search.terms.analysis import LANGUAGES

_MOST_LANGUAGES = 8
_LARGEST = 2**40


class WebStatistics(msgspec.Struct, frozen=True):
    """What a web tells about a query, so that several webs can rank pages as one."""

    scoring: str
    """Webs that say the same here score alike, given the same statistics."""
    title: str
    pages: int
    languages: dict[str, int]
    """Pages by language, the most frequent first."""
    length: float
    """The average number of terms on a page."""
    terms: tuple[TermCount, ...]
    """How many pages have each term of the query, by field."""


class GivenStatistics(msgspec.Struct, frozen=True, array_like=True):
    """The statistics of several webs as a parameter: short, since it is part of an address."""

    pages: Annotated[int, Meta(ge=0, le=_LARGEST)]
    languages: Annotated[tuple[Annotated[str, Meta(max_length=10)], ...], Meta(max_length=_MOST_LANGUAGES)]
    length: Annotated[float, Meta(ge=0, le=_LARGEST)]
    counts: Annotated[tuple[Annotated[int, Meta(ge=0, le=_LARGEST)], ...], Meta(max_length=MOST_TERMS)]
    """How many pages have each term, in the order in which the web listed them."""


_LENGTHS: "WeakKeyDictionary[Index, float]" = WeakKeyDictionary()


def collect_statistics(index: Index, text: str, languages: Sequence[str], title: str = "") -> WebStatistics:
    """Return the statistics of an index for a query. Cost: a look-up for each term and field."""
    if index not in _LENGTHS:
        _LENGTHS[index] = measure_length(index)
    terms = count_query_terms(index, parse(text), check_languages(languages)) if text else ()
    return WebStatistics(
        scoring=index.scoring,
        title=title,
        pages=index.own_pages,
        languages=index.totals["language"],
        length=_LENGTHS[index],
        terms=tuple(terms),
    )


def check_languages(languages: Iterable[str]) -> tuple[str, ...]:
    """Return the languages in which words can be looked up; "" stands for all others."""
    known = [code if code in LANGUAGES else "" for code in languages]
    return tuple(dict.fromkeys(known))[:_MOST_LANGUAGES] or ("",)


def merge_statistics(webs: Sequence[WebStatistics], languages: Sequence[str]) -> WholeStatistics:
    """Add up what several webs tell about one query, whose words they looked up in these languages."""
    counts: dict[tuple[str, str], int] = {}
    for web in webs:
        for one in web.terms:
            counts[one.field, one.term] = counts.get((one.field, one.term), 0) + one.pages
    pages = sum(web.pages for web in webs)
    length = sum(web.pages * web.length for web in webs) / max(1, pages)
    return WholeStatistics(pages, check_languages(languages), {LENGTH_FIELD: length}, counts)


def merge_languages(webs: Sequence[WebStatistics]) -> tuple[str, ...]:
    """Return the largest languages of several webs together."""
    by_language: dict[str, int] = {}
    for web in webs:
        for code, pages in web.languages.items():
            by_language[code] = by_language.get(code, 0) + pages
    most_first = dict(sorted(by_language.items(), key=lambda one: -one[1]))
    return choose_languages(most_first, sum(web.pages for web in webs))


def pack_statistics(whole: WholeStatistics, terms: Iterable[TermCount]) -> str:
    """Return the statistics of several webs for one of them, which listed these terms."""
    counts = tuple(whole.counts.get((one.field, one.term), 0) for one in terms)
    given = GivenStatistics(whole.pages, whole.languages, whole.lengths[LENGTH_FIELD], counts)
    return msgspec.json.encode(given).decode()


def unpack_statistics(packed: str, text: str) -> WholeStatistics:
    """Read what `pack_statistics` wrote for a query."""
    try:
        given = msgspec.json.decode(packed, type=GivenStatistics)
    except msgspec.DecodeError as error:
        raise BadInput(f"the statistics cannot be read: {error}") from None
    languages = check_languages(given.languages)
    terms = list_query_terms(parse(text), languages)
    if len(terms) != len(given.counts):
        raise BadInput("the statistics do not fit the query: ask /api/statistics for its terms first")
    counts = dict(zip(terms, given.counts, strict=True))
    return WholeStatistics(given.pages, languages, {LENGTH_FIELD: given.length}, counts)
