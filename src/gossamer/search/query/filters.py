"""What `site:`, `language:`, `after:` and the like mean: conditions that a page meets or not."""

from collections.abc import Callable

from gossamer.search.engine import tantivy
from gossamer.search.index.document_fields import address_words
from gossamer.search.index.search_index import Index
from gossamer.search.query.filter_values import (
    LATEST,
    WANTS_DATE,
    WANTS_RANGE,
    day_s,
    language_code,
    number_range,
    plain_name,
)
from gossamer.search.query.parse_query import Field
from gossamer.search.query.query_language import languages_for
from gossamer.search.terms.analysis import forms, words

_LONGEST_PHRASE = 50
_EARLIEST = -LATEST


def condition(field: Field, index: Index) -> "tantivy.Query | str":
    """Return the query that a field stands for, or what is wrong with it."""
    return _CONDITIONS[field.name](field, index)


def _names(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    def named(field: Field, index: Index) -> "tantivy.Query | str":
        return tantivy.Query.term_query(index.schema, engine_field, plain_name(field.value))

    return named


def _language(field: Field, index: Index) -> "tantivy.Query | str":
    return tantivy.Query.term_query(index.schema, "language", language_code(field.value))


def _terms(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    """Ask for all words of a value, next to each other."""

    def asked(field: Field, index: Index) -> "tantivy.Query | str":
        value = address_words(field.value) if engine_field == "url" else field.value
        languages = languages_for(words(value), index)
        found = [phrase(index, engine_field, value, language) for language in languages]
        options = [query for query in found if query is not None]
        return either(options) if options else f"{field.name}: wants a word"

    return asked


def _after(field: Field, index: Index) -> "tantivy.Query | str":
    begins = day_s(field.value)
    return f"after: {WANTS_DATE}" if begins is None else between(index, "date", begins, LATEST)


def _before(field: Field, index: Index) -> "tantivy.Query | str":
    begins = day_s(field.value)
    return f"before: {WANTS_DATE}" if begins is None else between(index, "date", _EARLIEST, begins - 1)


def _depth(field: Field, index: Index) -> "tantivy.Query | str":
    told = number_range(field.value)
    return f"depth: {WANTS_RANGE}" if told is None else between(index, "depth", *told)


def _mark(field: Field, index: Index) -> "tantivy.Query | str":
    return tantivy.Query.term_query(index.schema, "marks", field.value.lower().replace(":", "=", 1))


_CONDITIONS: "dict[str, Callable[[Field, Index], tantivy.Query | str]]" = {
    "title": _terms("title"),
    "url": _terms("url"),
    "site": _names("domain"),
    "host": _names("host"),
    "type": _names("kind"),
    "language": _language,
    "after": _after,
    "before": _before,
    "depth": _depth,
    "mark": _mark,
}


def between(index: Index, field: str, least: int, most: int) -> "tantivy.Query":
    """Ask for pages whose number is in a range, both ends included."""
    if least > most:
        return tantivy.Query.empty_query()
    return tantivy.Query.range_query(index.schema, field, tantivy.FieldType.Integer, least, most)


def phrase(index: Index, field: str, text: str, language: str) -> "tantivy.Query | None":
    """Ask for the words of a text next to each other, reduced by one language; None if it has none."""
    terms = [forms(word, [language])[0] for word in words(text)[:_LONGEST_PHRASE]]
    if len(terms) > 1:
        return tantivy.Query.phrase_query(index.schema, field, list(terms))
    return tantivy.Query.term_query(index.schema, field, terms[0]) if terms else None


def either(queries: "list[tantivy.Query]") -> "tantivy.Query":
    """Ask for pages that one of several queries finds; scores add up."""
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])
