"""What came of asking for an address: from the visits and redirects that the crawl recorded, as columns.

Cost: about 25 bytes a visit; outcomes are made when they are asked for.
"""

from array import array
from collections.abc import Iterable
from typing import Literal, Protocol, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.link_check.check_options import UNKNOWN_STATUSES
from gossamer.link_check.id_columns import Flags, Ids
from gossamer.records import Visit, VisitResult
from gossamer.store.batch import Store

State = Literal["ok", "broken", "unreachable", "unknown", "robots-refused", "redirect-loop", "unasked"]
STATES: dict[str, int] = {name: number for number, name in enumerate(get_args(State))}
MOST_REDIRECTS = 20
"""As many as Chromium and Firefox follow."""
_PERMANENT = frozenset((301, 308))
_OK, _FIRST_ERROR = 200, 400
_ANSWERED = frozenset(("fetched", "not modified", "cache hit"))
_REDIRECTED = "redirected"
_RESULTS: tuple[VisitResult, ...] = get_args(VisitResult)
_RESULT_NUMBERS = {name: number for number, name in enumerate(_RESULTS)}
_TO_FOLLOW = 255
"""The state of an address that redirects, before its redirects are followed."""
# Refusals that do not concern the address: limits of the crawl, not answers of the server.
_BY_HOST = frozenset(("connect", "tls", "dead host", "robots unreachable"))


class TargetOutcome(msgspec.Struct, frozen=True, gc=False):
    """What came of asking for one address."""

    state: State
    status: int = 0
    final: int = 0
    """The page id at the end of its redirects."""
    hops: int = 0
    permanent: bool = False
    """Whether its first redirect is permanent."""
    first_status: int = 0
    """The status of the address itself, if that redirects."""
    detail: str = ""
    when_s: float = 0.0


class OutcomeColumns(msgspec.Struct, frozen=True):
    """What came of asking for many addresses."""

    states: Flags
    """The number of each state in `STATES`."""
    finals: Ids
    hops: Flags
    permanent: NDArray[np.bool_]
    when_s: NDArray[np.float64]
    """When each was asked for; 0 if it was not."""

    def have(self, *states: State) -> NDArray[np.bool_]:
        """Say which addresses have one of these states."""
        return np.isin(self.states, [STATES[name] for name in states])


class TargetLookup(Protocol):
    """Knows what came of asking for addresses: from the visits of a crawl, or from looking for files."""

    def find(self, page: int) -> TargetOutcome:
        """Return what came of asking for an address."""
        ...

    def find_all(self, pages: Ids) -> OutcomeColumns:
        """Return what came of asking for many addresses."""
        ...


class _LastVisit(msgspec.Struct, frozen=True, gc=False):
    """What is kept of the last visit to an address."""

    result: VisitResult
    status: int
    when_s: float
    cause: str
    detail: str


class _VisitColumns:
    """Visits as they are read: only the last one of each address counts."""

    def __init__(self) -> None:
        self._pages, self._when_s = array("q"), array("d")
        self._results, self._statuses, self._reasons = array("B"), array("i"), array("I")
        self.reasons: dict[tuple[str, str], int] = {("", ""): 0}
        """Causes and details, each pair once."""

    def __len__(self) -> int:
        return len(self._pages)

    def add_all(self, visits: Iterable[Visit]) -> None:
        for visit in visits:
            if visit.result == "robots":
                continue
            reason = 0
            if visit.result in ("refused", "failed"):
                reason = self.reasons.setdefault((visit.cause, visit.detail), len(self.reasons))
            self._pages.append(visit.page)
            self._when_s.append(visit.when_s)
            self._results.append(_RESULT_NUMBERS[visit.result])
            self._statuses.append(visit.status)
            self._reasons.append(reason)

    def keep_last(self, visits: int) -> "list[NDArray[np.generic]]":
        """Return the columns with one row for each address: its last visit, or a later one after the first `visits`."""
        columns: list[NDArray[np.generic]] = [
            np.frombuffer(self._pages, np.int64),
            np.frombuffer(self._when_s, np.float64),
            np.frombuffer(self._results, np.uint8),
            np.frombuffer(self._statuses, np.int32),
            np.frombuffer(self._reasons, np.uint32),
        ]
        pages, when_s = columns[0], columns[1]
        rows = np.arange(len(pages))
        last = _find_last(pages[:visits])
        more = rows[visits:]
        if len(more):
            both = np.concatenate([last, more])
            # At the same time, the visit of the crawl counts.
            order = np.lexsort((both < visits, when_s[both], pages[both]))
            last = both[order][_ends_of_runs(pages[both][order])]
        return [column[last] for column in columns]


def _find_last(keys: "NDArray[np.generic]") -> NDArray[np.intp]:
    """Return the last row of each key, in the order of the keys."""
    order = np.argsort(keys, kind="stable")
    found: NDArray[np.intp] = order[_ends_of_runs(keys[order])]
    return found


def _ends_of_runs(keys: "NDArray[np.generic]") -> NDArray[np.bool_]:
    return np.concatenate([keys[1:] != keys[:-1], np.ones(min(1, len(keys)), bool)])


class Outcomes:
    """The outcomes of all addresses of a web."""

    def __init__(self, store: Store, accept: Iterable[int] = (), answers: Iterable[Visit] = ()) -> None:
        self._accept = frozenset(accept)
        read = _VisitColumns()
        read.add_all(store.all_visits())
        visits = len(read)
        read.add_all(answers)
        self._pages: Ids
        self._pages, self._when_s, self._results, self._statuses, self._reasons = read.keep_last(visits)  # type: ignore[assignment]
        self._reason_texts = list(read.reasons)
        pairs = np.array(list(store.redirects()), np.int64).reshape(-1, 2)
        pairs = pairs[_find_last(pairs[:, 0])]
        self._redirects = dict(zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), strict=True))
        self._states = self._judge_all()

    def __contains__(self, page: int) -> bool:
        return self._visit(page) is not None

    def find(self, page: int) -> TargetOutcome:
        """Return what came of asking for an address; `unasked` if it was not asked for."""
        first = self._visit(page)
        if first is None:
            return TargetOutcome("unasked", final=page)
        permanent = first.result == _REDIRECTED and first.status in _PERMANENT
        seen, at, visit = {page}, page, first
        while visit.result == _REDIRECTED:
            if visit.status in self._accept:
                return TargetOutcome("ok", visit.status, at, len(seen) - 1, permanent, when_s=first.when_s)
            at = self._redirects.get(at, 0)
            if at in seen or len(seen) > MOST_REDIRECTS:
                return TargetOutcome(
                    "redirect-loop", first.status, at, len(seen), permanent, when_s=first.when_s
                )
            seen.add(at)
            following = self._visit(at)
            if following is None:
                # It leads out of the scope of the crawl, or the crawl gave up a long chain: `final` is to be asked for.
                return TargetOutcome(
                    "unasked", first.status, at, len(seen) - 1, permanent, when_s=first.when_s
                )
            visit = following
        state, detail = self._judge(visit)
        status = _OK if visit.result == "not modified" else visit.status
        return TargetOutcome(state, status, at, len(seen) - 1, permanent, first.status, detail, first.when_s)

    def find_all(self, pages: Ids) -> OutcomeColumns:
        """Return what came of asking for many addresses."""
        at, known = self._look_up(pages)
        states = np.full(len(pages), STATES["unasked"], np.uint8)
        when_s = np.zeros(len(pages))
        states[known], when_s[known] = self._states[at[known]], self._when_s[at[known]]
        finals, hops, permanent = pages.copy(), np.zeros(len(pages), np.uint8), np.zeros(len(pages), bool)
        for row in np.flatnonzero(states == _TO_FOLLOW).tolist():
            one = self.find(int(pages[row]))
            states[row], finals[row] = STATES[one.state], one.final
            hops[row], permanent[row] = min(one.hops, 255), one.permanent
        return OutcomeColumns(states, finals, hops, permanent, when_s)

    def have_result(self, pages: Ids, *results: VisitResult) -> NDArray[np.bool_]:
        """Say for which addresses the last visit itself, without its redirects, had one of these results."""
        at, known = self._look_up(pages)
        numbers = [_RESULT_NUMBERS[name] for name in results]
        known[known] = np.isin(self._results[at[known]], numbers)
        return known

    def _look_up(self, pages: Ids) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the rows of addresses, and which of them have one."""
        at = np.searchsorted(self._pages, pages)
        known = at < len(self._pages)
        known[known] = self._pages[at[known]] == pages[known]
        return at, known

    def _visit(self, page: int) -> _LastVisit | None:
        """Return the last visit to an address itself, without its redirects."""
        at = int(np.searchsorted(self._pages, page))
        if at == len(self._pages) or self._pages[at] != page:
            return None
        return self._make_visit(at)

    def _make_visit(self, row: int) -> _LastVisit:
        cause, detail = self._reason_texts[self._reasons[row]]
        return _LastVisit(
            _RESULTS[self._results[row]],
            int(self._statuses[row]),
            float(self._when_s[row]),
            cause,
            detail,
        )

    def _judge_all(self) -> Flags:
        """Return the state of each address: each kind of answer is judged once."""
        reasons, statuses, results = (
            column.astype(np.int64) for column in (self._reasons, self._statuses, self._results)
        )
        kinds = (reasons << 32) | (statuses << 8) | results
        unique, firsts, places = np.unique(kinds, return_index=True, return_inverse=True)
        states = np.zeros(len(unique), np.uint8)
        for number, row in enumerate(firsts.tolist()):
            visit = self._make_visit(row)
            states[number] = _TO_FOLLOW if visit.result == _REDIRECTED else STATES[self._judge(visit)[0]]
        return states[places]

    def _judge(self, visit: _LastVisit) -> tuple[State, str]:
        """Judge an answer that is no redirect."""
        if visit.status in self._accept:
            return "ok", ""
        if visit.result in _ANSWERED and visit.status < _FIRST_ERROR:
            return "ok", ""
        if visit.result == "refused":
            if visit.cause == "robots":
                return "robots-refused", ""
            return ("unreachable" if visit.cause in _BY_HOST else "unasked"), visit.cause
        if visit.status in UNKNOWN_STATUSES:
            return "unknown", ""
        if visit.status >= _FIRST_ERROR:
            return "broken", ""
        return "unreachable", visit.detail or visit.cause
