"""Choose how to request a page again: conditionally, whole, or by HEAD first."""

import math
from typing import Literal

import msgspec

from gossamer.freshness.change_history import HostHistory, PageHistory

RequestForm = Literal["condition", "whole", "head"]
"""A conditional request, which may be answered by 304; an unconditional one; or HEAD first, to compare the headers here."""

AUDIT_EVERY = 10
"""After this many "not modified" answers in a row, the page is fetched whole and compared."""
HEAD_BYTES = 1_000
"""The assumed cost of a HEAD request: some 700 bytes both ways, and a turn at the host."""
_LEAST_TIMES = 3
_LEAST_LIES = 2
_MOST_LIES = 0.2


class StoredCopy(msgspec.Struct, frozen=True, gc=False):
    """The facts about a stored copy that decide how the page is requested."""

    has_condition: bool
    """Whether the server sent an ETag or a Last-Modified date."""
    body_bytes: int
    age_days: float
    """Time since the copy was last known to be current."""


def choose_request(known: StoredCopy, page: PageHistory, host: HostHistory) -> RequestForm:
    """Choose a conditional request if the server respects it, HEAD if that is cheaper, else the whole page."""
    if not known.has_condition or page.lies or sends_false_304(host):
        return "whole"
    if page.unheard >= AUDIT_EVERY:
        return "whole"
    if ignores_conditions(host) and head_is_cheaper(
        known.body_bytes, estimate_change_chance(page, known.age_days)
    ):
        return "head"
    return "condition"


def sends_false_304(host: HostHistory) -> bool:
    """Return whether the host repeatedly answered "not modified" for pages that had changed."""
    return host.lies >= _LEAST_LIES and host.lies > _MOST_LIES * max(host.audits, 1)


def ignores_conditions(host: HostHistory) -> bool:
    """Return whether the host sends unchanged pages in full although requests are conditional."""
    return host.ignored >= _LEAST_TIMES and host.ignored > host.not_modified


def estimate_change_chance(page: PageHistory, age_days: float) -> float:
    """Estimate from a page's own history how probably it has changed; at first, one change in twice its quiet time."""
    changes = page.dated + sum(page.gaps.values())
    days = page.quiet_days + sum(bucket_to_days(bucket) * times for bucket, times in page.gaps.items())
    return -math.expm1(-(changes + 0.5) / (days + max(age_days, 1e-6)) * age_days)


def head_is_cheaper(body_bytes: int, chance: float) -> bool:
    """Return whether HEAD first is cheaper: it saves the body, and costs a second request if the page changed."""
    return (1.0 - chance) * body_bytes > (1.0 + chance) * HEAD_BYTES


GAP_RATIO = 1.1
_LOG_RATIO = math.log(GAP_RATIO)


def gap_to_bucket(days: float) -> int:
    """Return the bucket that counts gaps of this length; lengths within 5 % share one, which keeps notes small."""
    return round(math.log(max(days, 1e-6)) / _LOG_RATIO)


def bucket_to_days(bucket: int) -> float:
    """Return the gap length that a bucket stands for."""
    return math.exp(bucket * _LOG_RATIO)
