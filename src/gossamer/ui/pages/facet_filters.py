"""Filters beside the answers: groups, and counts by language, site, type and year, each a link that narrows the answers."""

import re
from collections.abc import Iterator

import msgspec

from gossamer.search.answers.answer_records import Answers
from gossamer.search.clusters.cluster_records import GroupedAnswers, ShownAnswer
from gossamer.text.language.language_names import LANGUAGE_NAMES
from gossamer.ui.pages.search_params import REST, SearchRequest

_SHOWN = 8
_YEAR = re.compile("[0-9]{4}")


class FacetValue(msgspec.Struct, frozen=True):
    """A value that narrows the answers."""

    name: str
    pages: int
    address: str
    """The address that selects the value, or removes it again."""
    chosen: bool


class Facet(msgspec.Struct, frozen=True):
    """The values of one field."""

    name: str
    values: tuple[FacetValue, ...]


class Chip(msgspec.Struct, frozen=True):
    """An active filter, and the address without it."""

    name: str
    address: str


class GroupLink(msgspec.Struct, frozen=True):
    """A group, and the address that shows its answers, or all again."""

    label: str
    answers: int
    address: str
    chosen: bool
    best: tuple[ShownAnswer, ...] = ()


def list_facets(search: SearchRequest, found: Answers) -> list[Facet]:
    """Return the facets with an active value, or with several values to choose from."""
    facets = [Facet("web", tuple(_list_origins(search, found)))]
    facets += [Facet(name, tuple(_list_values(search, found, name))) for name in ("language", "site", "type")]
    facets.append(Facet("year", tuple(_list_years(search, found))))
    return [one for one in facets if len(one.values) > 1 or any(value.chosen for value in one.values)]


def list_groups(search: SearchRequest, grouped: GroupedAnswers) -> list[GroupLink]:
    """Return a link for each group, and one for the rest."""
    groups = [(group.label, group.label, group.count, group.best) for group in grouped.groups]
    if groups and grouped.rest:
        groups.append((REST, "Other", len(grouped.rest), ()))
    return [
        GroupLink(
            label,
            count,
            search.make_address(group="" if search.group == name else name),
            search.group == name,
            best,
        )
        for name, label, count, best in groups
    ]


def list_chips(search: SearchRequest, found: Answers) -> list[Chip]:
    """Return the active filters."""
    year = _find_year(search)
    if year:
        single = {name: value for name, value in search.only.items() if name not in ("after", "before")}
        named = [(_format_filter(name, value), {name: ""}) for name, value in single.items()]
        named.append((year, {"after": "", "before": ""}))
    else:
        named = [(_format_filter(name, value), {name: ""}) for name, value in search.only.items()]
    if search.origin:
        titles = {one.name: one.title for one in found.origins or ()}
        named.append((titles.get(search.origin, search.origin), {"origin": ""}))
    if search.group:
        named.append(("Other" if search.group == REST else search.group, {"group": ""}))
    return [Chip(name, search.make_address(**without)) for name, without in named]


def _list_values(search: SearchRequest, found: Answers, name: str) -> Iterator[FacetValue]:
    chosen = getattr(search, name)
    for value, pages in list(found.counts.get(name, {}).items())[:_SHOWN]:
        is_chosen = value == chosen
        address = search.make_address(**{name: "" if is_chosen else value})
        text = LANGUAGE_NAMES.get(value, value) if name == "language" else value
        yield FacetValue(text, pages, address, is_chosen)


def _list_origins(search: SearchRequest, found: Answers) -> Iterator[FacetValue]:
    """Yield the webs that have answers, by their titles, if several are searched."""
    for one in found.origins or ():
        if one.total:
            is_chosen = one.name == search.origin
            address = search.make_address(origin="" if is_chosen else one.name)
            yield FacetValue(one.title, one.total, address, is_chosen)


def _list_years(search: SearchRequest, found: Answers) -> Iterator[FacetValue]:
    chosen = _find_year(search)
    for year, pages in list(found.counts.get("year", {}).items())[:_SHOWN]:
        is_chosen = year == chosen
        ends = ("", "") if is_chosen else (year, str(int(year) + 1))
        yield FacetValue(year, pages, search.make_address(after=ends[0], before=ends[1]), is_chosen)


def _find_year(search: SearchRequest) -> str:
    """Return the year that `after` and `before` select; "" if they select none, or other dates."""
    is_year = _YEAR.fullmatch(search.after) and search.before == str(int(search.after) + 1)
    return search.after if is_year else ""


def _format_filter(name: str, value: str) -> str:
    if name == "language":
        return LANGUAGE_NAMES.get(value, value)
    return f"{name} {value}" if name in ("after", "before") else value
