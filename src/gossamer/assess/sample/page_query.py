"""Conditions on pages in the query language of `gossamer search`, checked against the store instead of an index."""

import math
from collections.abc import Callable

from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.errors import BadInput
from gossamer.net.url.public_suffix import site
from gossamer.search.index.make_entry import choose_date
from gossamer.search.query.filter_values import (
    NEEDS_DATE,
    NEEDS_RANGE,
    parse_day,
    parse_language,
    parse_name,
    parse_range,
)
from gossamer.search.query.parse_query import BooleanGroup, Either, Field, Node, Words, parse

Condition = Callable[[CrawledPage], bool]


def parse_condition(text: str) -> Condition:
    """Return the condition of a query; raise BadInput if part of it cannot be checked here.

    Terms side by side must all hold. Words without a field would need an index; `title:` and `url:` search for words.
    """
    query = parse(text, tuple(_FIELDS))
    if query.notes:
        raise BadInput(f"--where {text!r}: {query.notes[0]}")
    return _build_condition(query.root)


def _build_condition(node: Node) -> Condition:
    match node:
        case BooleanGroup(must, should, must_not):
            wanted = [_build_condition(one) for one in must + should]
            unwanted = [_build_condition(one) for one in must_not]
            return lambda crawled: (
                all(one(crawled) for one in wanted) and not any(one(crawled) for one in unwanted)
            )
        case Either(options):
            some = [_build_condition(one) for one in options]
            return lambda crawled: any(one(crawled) for one in some)
        case Words(text):
            names = ", ".join(f"{name}:" for name in _FIELDS)
            raise BadInput(
                f"--where has the fields {names} and cannot search for the word {text!r}; title:{text} searches titles"
            )
        case Field(name, value):
            return _FIELDS[name](value)


def _match_substring(text_of: Callable[[CrawledPage], str]) -> Callable[[str], Condition]:
    def build(value: str) -> Condition:
        wanted = value.casefold()
        return lambda crawled: wanted in text_of(crawled).casefold()

    return build


def _match_text(
    text_of: Callable[[CrawledPage], str], normalize: Callable[[str], str] = str
) -> Callable[[str], Condition]:
    def build(value: str) -> Condition:
        wanted = normalize(value)
        return lambda crawled: text_of(crawled) == wanted

    return build


def _match_after(value: str) -> Condition:
    begins_s = _parse_date_s("after", value)
    return lambda crawled: choose_date(crawled.page) >= begins_s


def _match_before(value: str) -> Condition:
    begins_s = _parse_date_s("before", value)
    return lambda crawled: choose_date(crawled.page) < begins_s


def _parse_date_s(field: str, value: str) -> int:
    begins_s = parse_day(value)
    if begins_s is None:
        raise BadInput(f"--where {field}:{value}: {field}: {NEEDS_DATE}")
    return begins_s


def _match_depth(value: str) -> Condition:
    limits = parse_range(value)
    if limits is None:
        raise BadInput(f"--where depth:{value}: depth: {NEEDS_RANGE}")
    least, most = limits
    return lambda crawled: least <= crawled.page.depth <= most


def _match_mark(value: str) -> Condition:
    """Match a mark by its name, or by name and value: `mark:topic=chess`."""
    wanted = value.lower()
    return lambda crawled: any(
        wanted in (name.lower(), f"{name}={text}".lower()) for name, text in crawled.page.marks.items()
    )


def _match_relevance(value: str) -> Condition:
    first, dots, last = value.partition("..")
    try:
        least = float(first) if first else -math.inf
        most = (float(last) if last else math.inf) if dots else least
    except ValueError:
        least = math.nan
    if not (first or last) or math.isnan(least):
        raise BadInput(
            f"--where relevance:{value}: relevance: needs a range such as 0.9.., ..0.1 or 0.4..0.6"
        )
    return lambda crawled: crawled.relevance is not None and least <= crawled.relevance <= most


_FIELDS: dict[str, Callable[[str], Condition]] = {
    "title": _match_substring(lambda crawled: crawled.page.title),
    "url": _match_substring(lambda crawled: crawled.page.url),
    "site": _match_text(lambda crawled: site(crawled.page.host), parse_name),
    "host": _match_text(lambda crawled: crawled.page.host, parse_name),
    "type": _match_text(lambda crawled: crawled.page.kind, parse_name),
    "language": _match_text(lambda crawled: parse_language(crawled.language), parse_language),
    "task": _match_text(lambda crawled: crawled.task),
    "order": _match_text(lambda crawled: crawled.order),
    "after": _match_after,
    "before": _match_before,
    "depth": _match_depth,
    "mark": _match_mark,
    "relevance": _match_relevance,
}
