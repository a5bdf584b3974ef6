"""How a page that we have is asked for again: with what we have of it, without, or for its head alone."""

import math
from typing import Literal

import msgspec

from gossamer.freshness.change_history import HostLearnt, PageLearnt

Way = Literal["condition", "whole", "head"]
"""Tell the server what we have, and let it say 304; do not tell it; or ask for the head first, and compare ourselves."""

AUDIT_EVERY = 10
"""So many answers in a row that nothing changed are believed; then the page is fetched and compared."""
HEAD_BYTES = 1_000
"""What a question and the head of its answer are taken to cost: some 700 bytes both ways, and a turn at the host."""
_LEAST_TIMES = 3
_LEAST_LIES = 2
_MOST_LIES = 0.2


class Known(msgspec.Struct, frozen=True, gc=False):
    """What the way to ask depends on."""

    has_condition: bool
    """Whether the server gave the page a tag or a date."""
    body_bytes: int
    age_days: float
    """Since we know the page as it is."""


def way(known: Known, page: PageLearnt, host: HostLearnt) -> Way:
    """Choose how to ask: by a condition if the server keeps to it, for the head if that is cheaper, else for all."""
    if not known.has_condition or page.lies or lies(host):
        return "whole"
    if page.unheard >= AUDIT_EVERY:
        return "whole"
    if ignores(host) and head_is_cheaper(known.body_bytes, chance_of_change(page, known.age_days)):
        return "head"
    return "condition"


def lies(host: HostLearnt) -> bool:
    """Say whether a host was caught saying that nothing changed when it had."""
    return host.lies >= _LEAST_LIES and host.lies > _MOST_LIES * max(host.audits, 1)


def ignores(host: HostLearnt) -> bool:
    """Say whether a host sends whole pages again although it was told that we have them."""
    return host.ignored >= _LEAST_TIMES and host.ignored > host.not_modified


def chance_of_change(page: PageLearnt, age_days: float) -> float:
    """Return the chance that a page has changed, by its own history alone: a change in twice its quiet time at first."""
    changes = page.dated + sum(page.gaps.values())
    days = page.quiet_days + sum(gap_days(place) * times for place, times in page.gaps.items())
    return -math.expm1(-(changes + 0.5) / (days + max(age_days, 1e-6)) * age_days)


def head_is_cheaper(body_bytes: int, chance: float) -> bool:
    """Say whether to ask for the head first: it saves the body, and costs a second question if something changed."""
    return (1.0 - chance) * body_bytes > (1.0 + chance) * HEAD_BYTES


GAP_RATIO = 1.1
_LOG_RATIO = math.log(GAP_RATIO)


def gap_place(days: float) -> int:
    """Return where gaps of this length are counted: lengths within 5 % share a place, so that notes stay small."""
    return round(math.log(max(days, 1e-6)) / _LOG_RATIO)


def gap_days(place: int) -> float:
    """Return the length of the gaps that are counted at a place."""
    return math.exp(place * _LOG_RATIO)
