"""Filters beside the answers: how many of them are in a language, of a site, of a type, of a year."""

import re
from collections.abc import Iterator

import msgspec

from gossamer.search.answers.answer_records import Answers
from gossamer.text.language.language_names import LANGUAGE_NAMES
from gossamer.ui.pages.search_params import Asked

_SHOWN = 8
_YEAR = re.compile("[0-9]{4}")


class Choice(msgspec.Struct, frozen=True):
    """A value that narrows the answers down."""

    name: str
    pages: int
    address: str
    """Where it is chosen, or let go again."""
    chosen: bool


class Filter(msgspec.Struct, frozen=True):
    """Values of one kind."""

    name: str
    choices: tuple[Choice, ...]


class Chip(msgspec.Struct, frozen=True):
    """A filter that holds, and the address without it."""

    name: str
    address: str


def filters(asked: Asked, found: Answers) -> list[Filter]:
    """Return all filters that would change something, or hold."""
    every = [Filter(name, tuple(_choices(asked, found, name))) for name in ("language", "site", "type")]
    every.append(Filter("year", tuple(_years(asked, found))))
    return [one for one in every if len(one.choices) > 1 or any(choice.chosen for choice in one.choices)]


def chips(asked: Asked) -> list[Chip]:
    """Return the filters that hold."""
    year = _year(asked)
    if year:
        single = {name: value for name, value in asked.only.items() if name not in ("after", "before")}
        named = [(_named(name, value), {name: ""}) for name, value in single.items()]
        named.append((year, {"after": "", "before": ""}))
    else:
        named = [(_named(name, value), {name: ""}) for name, value in asked.only.items()]
    return [Chip(name, asked.address(**without)) for name, without in named]


def _choices(asked: Asked, found: Answers, name: str) -> Iterator[Choice]:
    chosen = getattr(asked, name)
    for value, pages in list(found.counts.get(name, {}).items())[:_SHOWN]:
        holds = value == chosen
        address = asked.address(**{name: "" if holds else value})
        yield Choice(LANGUAGE_NAMES.get(value, value) if name == "language" else value, pages, address, holds)


def _years(asked: Asked, found: Answers) -> Iterator[Choice]:
    chosen = _year(asked)
    for year, pages in list(found.counts.get("year", {}).items())[:_SHOWN]:
        holds = year == chosen
        ends = ("", "") if holds else (year, str(int(year) + 1))
        yield Choice(year, pages, asked.address(after=ends[0], before=ends[1]), holds)


def _year(asked: Asked) -> str:
    """Return the year that was chosen; "" if none, or other dates were."""
    is_year = _YEAR.fullmatch(asked.after) and asked.before == str(int(asked.after) + 1)
    return asked.after if is_year else ""


def _named(name: str, value: str) -> str:
    if name == "language":
        return LANGUAGE_NAMES.get(value, value)
    return f"{name} {value}" if name in ("after", "before") else value
