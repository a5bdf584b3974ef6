"""Terms that go by the links read so far: authority, hub and rank (Web Search slides: directed spidering)."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from gossamer.order.terms.order_term import RELEVANT, NewLink, PageView
from gossamer.order.terms.page_scores import PageScores
from gossamer.records import Request

# The count that scores one half: the fourth in-link of a page says less than its first.
_HALF_LINKS = 3.0
# Cash scores one half if it is what pages usually had when they were read: a running mean with this weight.
_CASH_REMEMBERED = 0.99
_START_CASH = 1.0
_MOST_PAGES = 200_000
"""Pages that can have a number: 20 MB."""


class _ReturnedScores:
    """The scores of waiting links as they were last returned, and which of them may have changed since."""

    def __init__(self) -> None:
        self.values: dict[int, float] = {}
        self.stale: set[int] = set()

    def set_score(self, key: int, value: float) -> float:
        self.values[key] = value
        return value

    def forget(self, key: int) -> None:
        self.values.pop(key, None)
        self.stale.discard(key)

    def take_changes(self, now: dict[int, float]) -> dict[int, float]:
        """Return by how much scores differ from those last returned."""
        self.stale.clear()
        by = {key: value - self.values[key] for key, value in now.items() if key in self.values}
        self.values.update((key, now[key]) for key in by)
        return {key: change for key, change in by.items() if change}


class AuthorityTerm:
    """In-links so far: pages that many others link to go first (Cho et al. 1998, backlink count)."""

    def __init__(self) -> None:
        self._links = PageScores()
        self._returned = _ReturnedScores()

    def record_links(self, page: PageView, targets: Collection[int]) -> None:  # noqa: ARG002 - part of `Term`
        """Count one more in-link for each target that waits."""
        for key in self._links.select_known(targets):
            self._links[key] += 1
            self._returned.stale.add(key)

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:  # noqa: ARG002 - part of `Term`
        """Return the scores by in-links: one in-link, unless more were counted before."""
        for one in new:
            if one.key not in self._links:
                self._links[one.key] = 1
        return [self._returned.set_score(one.key, _score_count(self._links[one.key])) for one in new]

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """No-op: what a link led to does not change in-links."""

    def take_score_changes(self) -> dict[int, float]:
        """Return the changes by further in-links."""
        return self._returned.take_changes(
            {key: _score_count(self._links[key]) for key in self._returned.stale}
        )

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the in-links so far."""
        return {"in-links": self._links[one.key]}

    def forget(self, key: int) -> None:
        """Forget a link."""
        self._links.pop(key)
        self._returned.forget(key)

    def pack_changes(self) -> bytes:
        """Return the counts that have changed."""
        return self._links.pack_changes()

    def pack_all(self) -> bytes:
        """Return all counts."""
        return self._links.pack_all()

    def load(self, packed: bytes) -> None:
        """Load counts."""
        self._links.load(packed)

    def merge(self, packed: bytes) -> None:
        """Merge the counts of another term."""
        self._links.merge(packed)


class HubTerm:
    """Relevant out-links so far: links of pages that many relevant pages were found on go first."""

    def __init__(self) -> None:
        self._relevant = PageScores()
        """-1 for each relevant page that was read; for hubs (`_hub_key`), the number of relevant pages they link to."""
        self._returned = _ReturnedScores()
        self._hub_of: dict[int, int] = {}
        """The page that each waiting link was found on."""
        self._links: dict[int, set[int]] = defaultdict(set)

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """Count the pages that a page links to and that were read and relevant."""
        known = sum(self._was_relevant(key) for key in self._relevant.select_known(targets))
        if known and len(self._relevant) < _MOST_PAGES:
            self._relevant[_hub_key(page.request.id)] = known

    def _was_relevant(self, key: int) -> bool:
        return self._relevant[key] < 0

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return the score of this hub for each link."""
        hub = page.request.id
        self._links[hub].update(one.key for one in new)
        self._hub_of.update((one.key, hub) for one in new)
        value = _score_count(self._relevant[_hub_key(hub)])
        return [self._returned.set_score(one.key, value) for one in new]

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """Count a relevant page for the page that it was found on."""
        if page is None or page.relevance < RELEVANT or len(self._relevant) >= _MOST_PAGES:
            return
        self._relevant[request.id] = -1
        self._relevant[_hub_key(request.parent)] += 1
        self._returned.stale.update(self._links.get(request.parent, ()))

    def take_score_changes(self) -> dict[int, float]:
        """Return the changes by further relevant pages."""
        now = {key: _score_count(self._relevant[_hub_key(self._hub_of[key])]) for key in self._returned.stale}
        return self._returned.take_changes(now)

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the relevant out-links of its page so far."""
        return {"relevant out-links of its page": self._relevant[_hub_key(page.request.id)]}

    def forget(self, key: int) -> None:
        """Forget a link."""
        self._returned.forget(key)
        hub = self._hub_of.pop(key, 0)
        if hub in self._links:
            self._links[hub].discard(key)
            if not self._links[hub]:
                del self._links[hub]

    def pack_changes(self) -> bytes:
        """Return the counts that have changed."""
        return self._relevant.pack_changes()

    def pack_all(self) -> bytes:
        """Return all counts."""
        return self._relevant.pack_all()

    def load(self, packed: bytes) -> None:
        """Load counts."""
        self._relevant.load(packed)

    def merge(self, packed: bytes) -> None:
        """Merge the counts of another term."""
        self._relevant.merge(packed)


class RankTerm:
    """Online page importance: each page passes its cash on to its targets (Abiteboul et al. 2003, OPIC)."""

    def __init__(self) -> None:
        self._cash = PageScores()
        self._returned = _ReturnedScores()
        self._usual = _START_CASH

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """Pass the page's cash on to its targets, in equal shares."""
        cash = self._cash.pop(page.request.id) or _START_CASH * (not page.request.parent)
        self._usual = _CASH_REMEMBERED * self._usual + (1 - _CASH_REMEMBERED) * cash
        share = cash / max(1, len(targets))
        room = len(self._cash) < _MOST_PAGES
        for key in targets if room else self._cash.select_known(targets):
            self._cash[key] += share
        self._returned.stale.update(self._returned.values.keys() & targets)

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:  # noqa: ARG002 - part of `Term`
        """Return the scores by the cash that `record_links` has passed on."""
        return [self._returned.set_score(one.key, self._score_cash(one.key)) for one in new]

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """Remove the cash of a page that could not be read: it passes nothing on."""
        if page is None:
            self._cash.pop(request.id)

    def take_score_changes(self) -> dict[int, float]:
        """Return the changes by further cash."""
        return self._returned.take_changes({key: self._score_cash(key) for key in self._returned.stale})

    def _score_cash(self, key: int) -> float:
        cash = self._cash[key]
        return cash / (cash + self._usual)

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return its cash."""
        return {"cash": self._cash[one.key]}

    def forget(self, key: int) -> None:
        """Forget a link; its cash stays until it is read."""
        self._returned.forget(key)

    def pack_changes(self) -> bytes:
        """Return the cash that has changed."""
        return self._cash.pack_changes()

    def pack_all(self) -> bytes:
        """Return all cash."""
        return self._cash.pack_all()

    def load(self, packed: bytes) -> None:
        """Load cash."""
        self._cash.load(packed)

    def merge(self, packed: bytes) -> None:
        """Merge the cash of another term."""
        self._cash.merge(packed)


def _score_count(count: float) -> float:
    return count / (count + _HALF_LINKS)


def _hub_key(page: int) -> int:
    """Return the key of a page as a hub, apart from its key as a relevant page: it may be both."""
    return page ^ 0x5555555555555555
