"""Compile `site:`, `language:`, `after:` and other fields into queries that a page matches or not."""

from collections.abc import Callable

from gossamer.search.engine import tantivy
from gossamer.search.index.document_fields import EXACT_FIELD, strip_address
from gossamer.search.index.match_terms import match_near_terms
from gossamer.search.index.search_index import Index
from gossamer.search.query.filter_values import (
    LATEST,
    NEEDS_DATE,
    NEEDS_RANGE,
    parse_day,
    parse_language,
    parse_name,
    parse_range,
)
from gossamer.search.query.guess_query_language import find_languages
from gossamer.search.query.parse_query import Field
from gossamer.search.terms.analysis import split_text, to_terms

_LONGEST_PHRASE = 50
MOST_CHECKED = 1_000
"""How many pages `exact:` reads in an index that is not exact: a tenth of a millisecond each."""
# Only the beginning of one of these is stored.
_STORED_FIELDS = ("words", "rest")
_EARLIEST = -LATEST
_OFFICE_FORMATS = ("docx", "xlsx", "pptx", "odt", "ods", "odp", "odg", "rtf", "epub")


def compile_filter(field: Field, index: Index) -> "tantivy.Query | str":
    """Return the query for a field, or what is wrong with its value."""
    return _FILTERS[field.name](field, index)


def _make_name_filter(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    def filter_by_name(field: Field, index: Index) -> "tantivy.Query | str":
        return tantivy.Query.term_query(index.schema, engine_field, parse_name(field.value))

    return filter_by_name


def _filter_by_type(field: Field, index: Index) -> "tantivy.Query | str":
    """Match pages of a type; `type:office` matches every format of office documents."""
    wanted = parse_name(field.value)
    formats = (wanted, *(_OFFICE_FORMATS if wanted == "office" else ()))
    return match_any([tantivy.Query.term_query(index.schema, "kind", one) for one in formats])


def _filter_by_language(field: Field, index: Index) -> "tantivy.Query | str":
    return tantivy.Query.term_query(index.schema, "language", parse_language(field.value))


def _make_phrase_filter(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    """Return a filter that matches all words of a value, next to each other."""

    def filter_by_phrase(field: Field, index: Index) -> "tantivy.Query | str":
        value = strip_address(field.value) if engine_field == "url" else field.value
        languages = find_languages(split_text(value), index)
        found = [match_phrase(index, engine_field, value, language) for language in languages]
        options = [query for query in found if query is not None]
        return match_any(options) if options else f"{field.name}: needs a word"

    return filter_by_phrase


def _filter_after(field: Field, index: Index) -> "tantivy.Query | str":
    begins_s = parse_day(field.value)
    return f"after: {NEEDS_DATE}" if begins_s is None else match_range(index, "date", begins_s, LATEST)


def _filter_before(field: Field, index: Index) -> "tantivy.Query | str":
    begins_s = parse_day(field.value)
    return (
        f"before: {NEEDS_DATE}" if begins_s is None else match_range(index, "date", _EARLIEST, begins_s - 1)
    )


def _filter_by_depth(field: Field, index: Index) -> "tantivy.Query | str":
    ends = parse_range(field.value)
    return f"depth: {NEEDS_RANGE}" if ends is None else match_range(index, "depth", *ends)


def _filter_by_mark(field: Field, index: Index) -> "tantivy.Query | str":
    return tantivy.Query.term_query(index.schema, "marks", field.value.lower().replace(":", "=", 1))


def _filter_exact(field: Field, index: Index) -> "tantivy.Query | str":
    words = split_text(field.value)[:_LONGEST_PHRASE]
    if not words:
        return "exact: needs a word"
    languages = find_languages(words, index)
    phrases = [match_phrase(index, name, field.value, code) for code in languages for name in _STORED_FIELDS]
    phrase = match_any([query for query in phrases if query is not None])
    if not index.exact:
        return _match_written(index, phrase, words)
    written = [tantivy.Query.term_query(index.schema, EXACT_FIELD, word) for word in dict.fromkeys(words)]
    return match_all([phrase, *(tantivy.Query.const_score_query(query, 0.0) for query in written)])


def _match_written(index: Index, query: "tantivy.Query", words: list[str]) -> "tantivy.Query":
    """Match those of the best pages of a query whose stored texts have some words next to each other, as they are written."""
    wanted = f" {' '.join(words)} "
    hits = index.searcher.search(query, limit=MOST_CHECKED, count=False).hits
    pages = ((place, index.load_page(place)) for _, place in hits)
    places = [
        place
        for place, page in pages
        if any(wanted in f" {' '.join(split_text(text))} " for text in (page.title, page.text))
    ]
    ids = tantivy.Query.term_set_query(index.schema, "id", index.read_numbers("id", places))
    return match_all([query, tantivy.Query.const_score_query(ids, 0.0)])


_FILTERS: "dict[str, Callable[[Field, Index], tantivy.Query | str]]" = {
    "exact": _filter_exact,
    "title": _make_phrase_filter("title"),
    "url": _make_phrase_filter("url"),
    "site": _make_name_filter("domain"),
    "host": _make_name_filter("host"),
    "type": _filter_by_type,
    "language": _filter_by_language,
    "after": _filter_after,
    "before": _filter_before,
    "depth": _filter_by_depth,
    "mark": _filter_by_mark,
}


def match_range(index: Index, field: str, least: int, most: int) -> "tantivy.Query":
    """Match pages whose value is in a range, both ends included."""
    if least > most:
        return tantivy.Query.empty_query()
    return tantivy.Query.range_query(index.schema, field, tantivy.FieldType.Integer, least, most)


def match_phrase(index: Index, field: str, text: str, language: str) -> "tantivy.Query | None":
    """Match the words of a text next to each other, in any form in one language; None if it has no words."""
    terms = [to_terms(word, [language])[0] for word in split_text(text)[:_LONGEST_PHRASE]]
    return match_near_terms(index, field, terms) if terms else None


def match_all(queries: "list[tantivy.Query]") -> "tantivy.Query":
    """Match pages that match each of several queries; scores add up."""
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])


def match_any(queries: "list[tantivy.Query]") -> "tantivy.Query":
    """Match pages that match at least one of several queries; scores add up."""
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])
