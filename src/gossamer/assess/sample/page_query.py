"""Which pages are meant: `--where`, in the language of `gossamer search`, asked of the store and not of an index."""

import math
from collections.abc import Callable

from gossamer.assess.sample.page_facts import Facts
from gossamer.errors import BadInput
from gossamer.net.url.public_suffix import site
from gossamer.search.index.make_entry import choose_date
from gossamer.search.query.filter_values import (
    WANTS_DATE,
    WANTS_RANGE,
    parse_day,
    parse_language,
    parse_name,
    parse_range,
)
from gossamer.search.query.parse_query import BooleanGroup, Either, Field, Node, Words, parse

Condition = Callable[[Facts], bool]


def where(told: str) -> Condition:
    """Return the condition that is told in the query language, or say what in it cannot be asked here.

    What stands side by side must all hold. Words alone would need an index: `title:` and `url:` look for words.
    """
    query = parse(told, tuple(_FIELDS))
    if query.notes:
        raise BadInput(f"--where {told!r}: {query.notes[0]}")
    return _condition(query.root)


def _condition(node: Node) -> Condition:
    match node:
        case BooleanGroup(must, should, must_not):
            wanted = [_condition(one) for one in must + should]
            unwanted = [_condition(one) for one in must_not]
            return lambda facts: all(one(facts) for one in wanted) and not any(one(facts) for one in unwanted)
        case Either(options):
            some = [_condition(one) for one in options]
            return lambda facts: any(one(facts) for one in some)
        case Words(text):
            names = ", ".join(f"{name}:" for name in _FIELDS)
            raise BadInput(f"--where knows {names} and not the word {text!r}; title:{text} looks in titles")
        case Field(name, value):
            return _FIELDS[name](value)


def _contains(text_of: Callable[[Facts], str]) -> Callable[[str], Condition]:
    def asked(value: str) -> Condition:
        wanted = value.casefold()
        return lambda facts: wanted in text_of(facts).casefold()

    return asked


def _equals(
    text_of: Callable[[Facts], str], reduced: Callable[[str], str] = str
) -> Callable[[str], Condition]:
    def asked(value: str) -> Condition:
        wanted = reduced(value)
        return lambda facts: text_of(facts) == wanted

    return asked


def _after(value: str) -> Condition:
    begins_s = _date_s("after", value)
    return lambda facts: choose_date(facts.page) >= begins_s


def _before(value: str) -> Condition:
    begins_s = _date_s("before", value)
    return lambda facts: choose_date(facts.page) < begins_s


def _date_s(field: str, value: str) -> int:
    begins_s = parse_day(value)
    if begins_s is None:
        raise BadInput(f"--where {field}:{value}: {field}: {WANTS_DATE}")
    return begins_s


def _depth(value: str) -> Condition:
    told = parse_range(value)
    if told is None:
        raise BadInput(f"--where depth:{value}: depth: {WANTS_RANGE}")
    least, most = told
    return lambda facts: least <= facts.page.depth <= most


def _mark(value: str) -> Condition:
    """Ask for a mark by its name, or by its name and what it says: `mark:topic=chess`."""
    wanted = value.lower()
    return lambda facts: any(
        wanted in (name.lower(), f"{name}={said}".lower()) for name, said in facts.page.marks.items()
    )


def _relevance(value: str) -> Condition:
    first, dots, last = value.partition("..")
    try:
        least = float(first) if first else -math.inf
        most = (float(last) if last else math.inf) if dots else least
    except ValueError:
        least = math.nan
    if not (first or last) or math.isnan(least):
        raise BadInput(
            f"--where relevance:{value}: relevance: wants a range such as 0.9.., ..0.1 or 0.4..0.6"
        )
    return lambda facts: facts.relevance is not None and least <= facts.relevance <= most


_FIELDS: dict[str, Callable[[str], Condition]] = {
    "title": _contains(lambda facts: facts.page.title),
    "url": _contains(lambda facts: facts.page.url),
    "site": _equals(lambda facts: site(facts.page.host), parse_name),
    "host": _equals(lambda facts: facts.page.host, parse_name),
    "type": _equals(lambda facts: facts.page.kind, parse_name),
    "language": _equals(lambda facts: parse_language(facts.language), parse_language),
    "task": _equals(lambda facts: facts.task),
    "order": _equals(lambda facts: facts.order),
    "after": _after,
    "before": _before,
    "depth": _depth,
    "mark": _mark,
    "relevance": _relevance,
}
