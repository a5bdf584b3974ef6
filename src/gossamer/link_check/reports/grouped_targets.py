"""Groups the problems of a check by the address that is wrong, the most serious and most frequent first."""

from collections.abc import Iterable

import msgspec

from gossamer.link_check.problem import ERRORS, PROBLEMS, Problem

_ORDER = {name: place for place, name in enumerate(PROBLEMS)}


class TargetGroup(msgspec.Struct, frozen=True):
    """One address with one problem, and all places at which it stands."""

    problem: str
    target: str
    status: int
    detail: str
    places: list[Problem]

    @property
    def is_error(self) -> bool:
        """Whether it counts as broken."""
        return self.problem in ERRORS


def group_by_target(problems: Iterable[Problem]) -> list[TargetGroup]:
    """Return the problems grouped by address."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for one in problems:
        groups.setdefault((one.problem, one.target), []).append(one)
    made = [
        TargetGroup(problem, target, places[0].status, places[0].detail, places)
        for (problem, target), places in groups.items()
    ]
    return sorted(made, key=lambda group: (_ORDER[group.problem], -len(group.places), group.target))


def describe_places(group: TargetGroup) -> str:
    """Say at how many places and on how many pages an address stands.

    >>> places = [Problem("html-repair", "https://a.example/", "https://a.example/", line=line) for line in (3, 9)]
    >>> describe_places(TargetGroup("html-repair", "https://a.example/", 200, "", places))
    'at 2 places on 1 page'
    """
    pages = len({one.source for one in group.places})
    on_pages = "on 1 page" if pages == 1 else f"on {pages:,} pages"
    return on_pages if pages == len(group.places) else f"at {len(group.places):,} places {on_pages}"


def format_place(problem: Problem) -> str:
    """Return a place as editors and compilers write it."""
    return f"{problem.source}:{problem.line}:{problem.column}" if problem.line else problem.source
