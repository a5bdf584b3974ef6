"""What came of asking for an address: from the pages, visits and redirects that the crawl recorded."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from gossamer.link_check.check_options import UNKNOWN_STATUSES
from gossamer.records import Visit
from gossamer.store.batch import Store

State = Literal["ok", "broken", "unreachable", "unknown", "robots-refused", "redirect-loop", "unasked"]
MOST_REDIRECTS = 20
"""As many as Chromium and Firefox follow."""
_PERMANENT = frozenset((301, 308))
_OK, _FIRST_ERROR = 200, 400
_ANSWERED = frozenset(("fetched", "not modified", "cache hit"))
_REDIRECTED = "redirected"
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


class Outcomes:
    """The outcomes of all addresses of a web, looked up one by one."""

    def __init__(
        self, store: Store, accept: Iterable[int] = (), answers: Mapping[int, Visit] | None = None
    ) -> None:
        self._accept = frozenset(accept)
        self._visits: dict[int, Visit] = {}
        for visit in store.all_visits():
            if visit.result != "robots":
                self._visits[visit.page] = visit
        for page, answer in (answers or {}).items():
            if page not in self._visits or self._visits[page].when_s < answer.when_s:
                self._visits[page] = answer
        self._redirects = dict(store.redirects())
        self._found: dict[int, TargetOutcome] = {}

    def __contains__(self, page: int) -> bool:
        return page in self._visits

    def find(self, page: int) -> TargetOutcome:
        """Return what came of asking for an address; `unasked` if it was not asked for."""
        if page not in self._found:
            self._found[page] = self._follow(page)
        return self._found[page]

    def visit(self, page: int) -> Visit | None:
        """Return the last visit to an address itself, without its redirects."""
        return self._visits.get(page)

    def _follow(self, page: int) -> TargetOutcome:
        """Follow redirects to their end."""
        first = self._visits.get(page)
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
            following = self._visits.get(at)
            if following is None:
                # It leads out of the scope of the crawl, or the crawl gave up a long chain: `final` is to be asked for.
                return TargetOutcome(
                    "unasked", first.status, at, len(seen) - 1, permanent, when_s=first.when_s
                )
            visit = following
        state, detail = self._judge(visit)
        status = _OK if visit.result == "not modified" else visit.status
        return TargetOutcome(state, status, at, len(seen) - 1, permanent, first.status, detail, first.when_s)

    def _judge(self, visit: Visit) -> tuple[State, str]:
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
