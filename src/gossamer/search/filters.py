"""What `site:`, `language:`, `after:` and the like mean: conditions that a page meets or not."""

import re
from calendar import timegm
from collections.abc import Callable

from gossamer.search.analysis import forms, words
from gossamer.search.engine import tantivy
from gossamer.search.index import Index, address_words
from gossamer.search.query import Field

_LONGEST_PHRASE = 50
_EARLIEST, _LATEST = -(2**62), 2**62
_SCHEME = re.compile(r"^\w+://")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_RANGE = re.compile(r"(\d{1,9})?(\.\.)?(\d{1,9})?")
_SAID = {
    "after": "after: wants a date such as 2026, 2026-05 or 2026-05-31",
    "before": "before: wants a date such as 2026, 2026-05 or 2026-05-31",
    "depth": "depth: wants a number or a range such as 2, 0..3 or ..3",
}


def condition(field: Field, index: Index) -> "tantivy.Query | str":
    """Return the query that a field stands for, or what is wrong with it."""
    return _CONDITIONS[field.name](field, index)


def _names(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    def named(field: Field, index: Index) -> "tantivy.Query | str":
        # Whoever has an address at hand need not cut it down.
        name = _SCHEME.sub("", field.value.lower()).partition("/")[0].strip(". ")
        return tantivy.Query.term_query(index.schema, engine_field, name)

    return named


def _language(field: Field, index: Index) -> "tantivy.Query | str":
    return tantivy.Query.term_query(index.schema, "language", language_code(field.value))


def language_code(told: str) -> str:
    """Return the language of a code such as de-AT: countries are not indexed."""
    return re.split(r"[-_]", told.lower())[0]


def _terms(engine_field: str) -> "Callable[[Field, Index], tantivy.Query | str]":
    """Ask for all words of a value, next to each other."""

    def asked(field: Field, index: Index) -> "tantivy.Query | str":
        value = address_words(field.value) if engine_field == "url" else field.value
        found = [phrase(index, engine_field, value, language) for language in index.languages]
        options = [query for query in found if query is not None]
        return either(options) if options else f"{field.name}: wants a word"

    return asked


def _after(field: Field, index: Index) -> "tantivy.Query | str":
    begins = _day_s(field.value)
    return _SAID["after"] if begins is None else between(index, "date", begins, _LATEST)


def _before(field: Field, index: Index) -> "tantivy.Query | str":
    begins = _day_s(field.value)
    return _SAID["before"] if begins is None else between(index, "date", _EARLIEST, begins - 1)


def _depth(field: Field, index: Index) -> "tantivy.Query | str":
    told = _RANGE.fullmatch(field.value)
    if told is None or not (told[1] or told[3]) or (told[1] and told[3] and not told[2]):
        return _SAID["depth"]
    least = int(told[1] or 0)
    most = int(told[3]) if told[3] else (_LATEST if told[2] else least)
    return between(index, "depth", least, most)


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


def _day_s(told: str) -> int | None:
    """Return when a day, a month or a year begins, as Unix time."""
    found = _DATE.fullmatch(told)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    if not (1 <= month <= 12 and 1 <= day <= 31 and year > 0):
        return None
    return timegm((year, month, day, 0, 0, 0))
