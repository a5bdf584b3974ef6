"""Judge what new visits say about a watched page: it is the same, it has changed, or another look is needed."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from gossamer.crawl.describe_cause import describe_cause
from gossamer.records import Visit
from gossamer.watch.change_log import ChangeKind, PageChange, describe_edits
from gossamer.watch.difference.find_edits import Edit, find_edits
from gossamer.watch.difference.page_noise import (
    KnownNoise,
    learn_from_days,
    learn_from_looks,
    leave_out_noise,
)
from gossamer.watch.difference.part_text import PageVersion
from gossamer.watch.watch_list import WatchedPage

FIRST_LOOKS = 4
"""Looks at a new page, to learn what differs between two requests. With three advertisements in turn by chance, all four
looks show the same one in one case of 27, with two in one of 8."""
SECOND_LOOKS = 2
"""Looks at a page that seems to have changed: they learn its noise at the new places."""
_MOST_VERSIONS = 8
"""Versions between two checks that noise is learnt from; other crawls may have fetched hundreds."""
_GONE = {404, 410}
_SUCCESS = 2
_replace = msgspec.structs.replace

ReadVersion = Callable[[Visit], PageVersion | None]
"""Reads the watched part of the page that a visit fetched; None if that is not in the archive."""


class Judgement(NamedTuple):
    """What visits say about a page."""

    page: WatchedPage
    change: PageChange | None = None
    look_again: bool = False
    """Whether another look is needed first; then `page` is as it was."""


class _Seen(NamedTuple):
    """A version of a page, with the number of its visit."""

    number: int
    version: PageVersion


def judge_visits(page: WatchedPage, visits: Sequence[Visit], read: ReadVersion, final: bool) -> Judgement:
    """Judge all visits to a watched page that were not judged before; with `final`, there is no further look."""
    new = visits[page.visits :]
    if not new:
        return Judgement(page, look_again=not final)  # its redirect leads to a page that was fetched before
    last = new[-1]
    page = _replace(page, checked_s=last.when_s)
    if not _has_answer(last):
        return _judge_absence(page, last, len(visits))
    looks = page.looks + sum(map(_has_answer, new))
    if looks < FIRST_LOOKS and not final:
        return Judgement(page, look_again=True)
    return _judge_versions(_replace(page, looks=min(looks, FIRST_LOOKS)), visits, read, final)


def _has_answer(visit: Visit) -> bool:
    """Say whether a visit found the page."""
    return visit.result == "not modified" or _is_version(visit)


def _is_version(visit: Visit) -> bool:
    return visit.result == "fetched" and visit.status // 100 == _SUCCESS


def _judge_absence(page: WatchedPage, last: Visit, count: int) -> Judgement:
    """Judge a page that was not there: that is told once, and a page that was never seen has not changed."""
    status: ChangeKind = "gone" if last.status in _GONE else "failing"
    detail = f"status {last.status}" if last.status else describe_cause(last.cause or last.result)
    known = page.status in ("", status)
    page = _replace(page, status=status, detail=detail, visits=count)
    if known:
        return Judgement(page)
    return Judgement(page, _make_change(page, status, last.when_s, detail=detail))


def _judge_versions(page: WatchedPage, visits: Sequence[Visit], read: ReadVersion, final: bool) -> Judgement:
    """Judge the versions of a page that were fetched since the last check."""
    old = _read_old(page, visits, read)
    seen = _read_new(page, visits, read)
    if not seen and page.status in ("there", "part gone"):
        return Judgement(_replace(page, visits=len(visits)))
    noise = _learn_noise(page, old, seen)
    newest = seen[-1].version if seen else old
    if old is None or newest is None:
        return Judgement(*_judge_first(_replace(page, noise=noise), visits, seen))
    edits = _find_changes(old, newest, noise)
    if edits and not final and _count_looks(visits, seen) <= SECOND_LOOKS:
        return Judgement(page, look_again=True)
    accepted = _accept(_replace(page, noise=noise), visits, seen[-1] if seen else None)
    kind = _find_kind(page, newest, edits)
    if kind is None:
        return Judgement(accepted)
    blocks, left_out = describe_edits(edits)
    change = _make_change(accepted, kind, visits[-1].when_s)
    return Judgement(accepted, _replace(change, before_s=old.fetched_s, blocks=blocks, left_out=left_out))


def _make_change(page: WatchedPage, kind: ChangeKind, when_s: float, detail: str = "") -> PageChange:
    return PageChange(page.url, str(page.part), kind, when_s, title=page.title, detail=detail)


def _judge_first(
    page: WatchedPage, visits: Sequence[Visit], seen: list[_Seen]
) -> tuple[WatchedPage, PageChange | None]:
    """Judge the first version of a page: there is nothing to compare it with, but the part may be missing."""
    accepted = _accept(page, visits, seen[-1] if seen else None)
    kind: ChangeKind | None = None
    if accepted.status == "part gone":
        kind = "part gone" if page.status != "part gone" else None
    elif page.status == "part gone":
        kind = "part back"
    elif page.status in ("gone", "failing"):
        kind = "back"
    if kind is None:
        return accepted, None
    return accepted, _make_change(accepted, kind, visits[-1].when_s)


def _read_old(page: WatchedPage, visits: Sequence[Visit], read: ReadVersion) -> PageVersion | None:
    return read(visits[page.version - 1]) if 0 < page.version <= len(visits) else None


def _read_new(page: WatchedPage, visits: Sequence[Visit], read: ReadVersion) -> list[_Seen]:
    """Return the last versions that were fetched since the last check."""
    numbers = [
        number for number, one in enumerate(visits[page.visits :], page.visits + 1) if _is_version(one)
    ]
    versions = [(number, read(visits[number - 1])) for number in numbers[-_MOST_VERSIONS:]]
    return [_Seen(number, version) for number, version in versions if version is not None]


def _learn_noise(page: WatchedPage, old: PageVersion | None, seen: list[_Seen]) -> KnownNoise:
    """Return what is known about noise after the looks of this check and, for main text, after one more day."""
    noise = page.noise
    for (_, one), (_, other) in pairwise(seen):
        noise = learn_from_looks(noise, one, other)
    # A person who chose a part of the page may want its numbers: a price, a score.
    if old is not None and seen and not str(page.part):
        noise = learn_from_days(noise, old, seen[-1].version)
    return noise


def _find_changes(old: PageVersion, new: PageVersion, noise: KnownNoise) -> list[Edit]:
    if old.blocks is None or new.blocks is None:
        return []
    return leave_out_noise(find_edits(old, new), noise, old, new)


def _count_looks(visits: Sequence[Visit], seen: list[_Seen]) -> int:
    """Return how often the page was looked at since it was first fetched after the last check."""
    if not seen:
        return SECOND_LOOKS + 1
    return sum(map(_has_answer, visits[seen[0].number - 1 :]))


def _find_kind(page: WatchedPage, new: PageVersion, edits: list[Edit]) -> ChangeKind | None:
    """Return what is told about a page that is there; None if nothing is."""
    if new.blocks is None:
        return "part gone" if page.status != "part gone" else None
    if page.status == "part gone":
        return "part back"
    if page.status in ("gone", "failing"):
        return "back"
    return "changed" if edits else None


def _accept(page: WatchedPage, visits: Sequence[Visit], newest: _Seen | None) -> WatchedPage:
    """Return a page after its visits were judged: the next version is compared with the newest that has the part."""
    has_part = newest is None or newest.version.blocks is not None
    status = "there" if has_part else "part gone"
    version = newest.number if newest is not None and has_part else page.version
    title = newest.version.title if newest is not None else page.title
    return _replace(page, status=status, detail="", visits=len(visits), version=version, title=title)
