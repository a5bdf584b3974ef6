"""Check what another server sends: it may be broken or hostile, so everything is bounded before it is merged or shown."""

import math
import unicodedata
from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from gossamer.search.answers.answer_records import Answer, Answers, Fingerprint, NearCopy
from gossamer.search.answers.related_terms import LinkName, RelatedTerm
from gossamer.search.answers.snippets import Snippet
from gossamer.search.answers.web_statistics import WebStatistics
from gossamer.search.query.query_statistics import MOST_TERMS
from gossamer.search.ranking.explain_score import ScorePart

_LONGEST_LINE = 1_000
_LONGEST_URL = 8_000
_LONGEST_SNIPPET = 2_000
_LONGEST_CODE = 40
_MOST_COPIES = 50
_MOST_VALUES = 100
_MOST_PARTS = 50
_MOST_RELATED = 20
_MOST_NOTES = 5
_LARGEST = 2**40
_INT64 = 2**63
_LAST_DATE_S = 253_402_300_799.0  # the end of the year 9999
_FACETS = ("language", "site", "type", "year")


def check_statistics(found: WebStatistics, host: str) -> WebStatistics:
    """Return statistics within sensible limits; a web cannot have more pages with a term than pages."""
    pages = _bound(found.pages)
    terms = tuple(
        msgspec.structs.replace(one, pages=min(pages, _bound(one.pages))) for one in found.terms[:MOST_TERMS]
    )
    languages = {
        clean_line(code, _LONGEST_CODE): min(pages, _bound(count))
        for code, count in list(found.languages.items())[:_MOST_VALUES]
    }
    return msgspec.structs.replace(
        found,
        title=clean_line(found.title) or host,
        pages=pages,
        languages=languages,
        length=min(max(0.0, found.length), float(_LARGEST)),
        terms=terms,
    )


def check_answers(found: Answers, most: int) -> Answers:
    """Return answers within sensible limits: pages of the web only, and text without control characters."""
    answers = tuple(_check_answer(one) for one in found.answers[:most] if _is_web_address(one.url))
    counts = {
        name: {clean_line(value): _bound(count) for value, count in list(values.items())[:_MOST_VALUES]}
        for name, values in found.counts.items()
        if name in _FACETS
    }
    if "year" in counts:
        counts["year"] = {year: pages for year, pages in counts["year"].items() if year.isdecimal()}
    return Answers(
        query="",
        total=_bound(found.total),
        page=1,
        answers=answers,
        counts=counts,
        more=found.more and bool(answers),
        pages=_bound(found.pages),
        suggestion=clean_line(found.suggestion),
        related_terms=tuple(
            RelatedTerm(clean_line(one.word), _bound(one.pages), _bound(one.everywhere))
            for one in found.related_terms[:_MOST_RELATED]
        ),
        link_names=tuple(
            LinkName(clean_line(one.name), _bound(one.links), one.url)
            for one in found.link_names[:_MOST_RELATED]
            if _is_web_address(one.url)
        ),
        notes=tuple(map(clean_line, found.notes[:_MOST_NOTES])),
    )


def clean_line(text: str, most: int = _LONGEST_LINE) -> str:
    """Return a line of text without control characters and marks of direction, which could disguise what it says."""
    return "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Cs") or char in "\u200c\u200d" else " "
        for char in text[:most]
    )


def _check_answer(answer: Answer) -> Answer:
    return Answer(
        rank=1,
        score=answer.score if math.isfinite(answer.score) else 0.0,
        id=answer.id if -_INT64 <= answer.id < _INT64 else 0,
        url=answer.url,
        title=clean_line(answer.title),
        snippet=_check_snippet(answer.snippet),
        site=clean_line(answer.site),
        language=clean_line(answer.language, _LONGEST_CODE),
        type=clean_line(answer.type, _LONGEST_CODE),
        date_s=min(max(0.0, answer.date_s), _LAST_DATE_S),
        depth=_bound(answer.depth),
        archive=answer.archive,
        static_rank=min(max(0.0, answer.static_rank), 1_000.0),
        in_links=_bound(answer.in_links),
        copies=tuple(
            NearCopy(copy.url, clean_line(copy.title))
            for copy in answer.copies[:_MOST_COPIES]
            if _is_web_address(copy.url)
        ),
        link_texts=tuple(map(clean_line, answer.link_texts[:_MOST_PARTS])),
        similar=answer.similar,
        parts=tuple(
            ScorePart(clean_line(part.word), clean_line(part.field, _LONGEST_CODE), part.score)
            for part in answer.parts[:_MOST_PARTS]
        ),
        fingerprint=_check_fingerprint(answer.fingerprint),
    )


def _check_snippet(snippet: Snippet) -> Snippet:
    """Return a snippet whose marks are inside its text, ascending and without overlaps."""
    text = clean_line(snippet.text, _LONGEST_SNIPPET)
    return Snippet(text, tuple(_select_marks(snippet.marks[:_MOST_VALUES], len(text))))


def _select_marks(marks: Iterable[tuple[int, int]], length: int) -> Iterable[tuple[int, int]]:
    last = 0
    for start, end in marks:
        if last <= start < end <= length:
            yield start, end
            last = end


def _check_fingerprint(found: object) -> "Fingerprint | msgspec.UnsetType":
    if not isinstance(found, Fingerprint) or not -_INT64 <= found.simhash < _INT64:
        return UNSET
    return Fingerprint(found.simhash, _bound(found.words))


def _is_web_address(url: str) -> bool:
    return (
        url.startswith(("http://", "https://"))
        and len(url) <= _LONGEST_URL
        and not any(char.isspace() or not char.isprintable() for char in url)
    )


def _bound(number: int) -> int:
    return min(max(0, number), _LARGEST)
