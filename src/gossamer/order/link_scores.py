"""Orders by what the links say so far: authority, hub and rank (seeds 000 and 001: directed spidering)."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from gossamer.order.order_term import RELEVANT, New, Read
from gossamer.order.page_scores import Ledger
from gossamer.records import Request

# Where counts are half worth: the fourth in-link of a page says less than its first.
_HALF_LINKS = 3.0
# A page that is counted by its cash is worth one half if it has as much as pages usually had when they were read.
_CASH_REMEMBERED = 0.99
_START_CASH = 1.0
_MOST_PAGES = 200_000
"""Pages of which a number is kept: 20 MB."""


class _Told:
    """Values of waiting links as they were last told, and which may have changed."""

    def __init__(self) -> None:
        self.values: dict[int, float] = {}
        self.doubtful: set[int] = set()

    def set(self, key: int, value: float) -> float:
        self.values[key] = value
        return value

    def forget(self, key: int) -> None:
        self.values.pop(key, None)
        self.doubtful.discard(key)

    def moved(self, now: dict[int, float]) -> dict[int, float]:
        """Return by how much values differ from what was told."""
        self.doubtful.clear()
        by = {key: value - self.values[key] for key, value in now.items() if key in self.values}
        self.values.update((key, now[key]) for key in by)
        return {key: change for key, change in by.items() if change}


class Authority:
    """In-links so far: pages that many others link to go first (Cho et al. 1998, backlink count)."""

    def __init__(self) -> None:
        self._links = Ledger()
        self._told = _Told()

    def linked(self, page: Read, targets: Collection[int]) -> None:  # noqa: ARG002 - part of `Term`
        """Count one more in-link for each page that waits."""
        for key in self._links.known(targets):
            self._links[key] += 1
            self._told.doubtful.add(key)

    def found(self, page: Read, new: Sequence[New]) -> list[float]:  # noqa: ARG002 - part of `Term`
        """Return what the in-links of each are worth: one, unless they were counted before."""
        for one in new:
            if one.key not in self._links:
                self._links[one.key] = 1
        return [self._told.set(one.key, _share(self._links[one.key])) for one in new]

    def visited(self, request: Request, page: Read | None) -> None:
        """Nothing is to be learnt of what a link led to."""

    def moved(self) -> dict[int, float]:
        """Return what more in-links have changed."""
        return self._told.moved({key: _share(self._links[key]) for key in self._told.doubtful})

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the in-links so far."""
        return {"in-links": self._links[one.key]}

    def forget(self, key: int) -> None:
        """Let go of a link."""
        self._links.pop(key)
        self._told.forget(key)

    def changes(self) -> bytes:
        """Return the counts that have changed."""
        return self._links.changes()

    def everything(self) -> bytes:
        """Return all counts."""
        return self._links.everything()

    def recall(self, packed: bytes) -> None:
        """Know counts again."""
        self._links.recall(packed)

    def join(self, packed: bytes) -> None:
        """Know the counts of another one."""
        self._links.join(packed)


class Hub:
    """Relevant out-links so far: links of pages that many relevant pages were found on go first."""

    def __init__(self) -> None:
        self._relevant = Ledger()
        """Relevant pages that were read (as -1), and how many relevant ones a page links to."""
        self._told = _Told()
        self._of: dict[int, int] = {}
        """The page that each waiting link was found on."""
        self._links: dict[int, set[int]] = defaultdict(set)

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Count the relevant pages that a page links to, as far as they were read."""
        known = sum(self._seen_relevant(key) for key in self._relevant.known(targets))
        if known and len(self._relevant) < _MOST_PAGES:
            self._relevant[_as_hub(page.request.id)] = known

    def _seen_relevant(self, key: int) -> bool:
        return self._relevant[key] < 0

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return what links of this hub are worth."""
        hub = page.request.id
        self._links[hub].update(one.key for one in new)
        self._of.update((one.key, hub) for one in new)
        value = _share(self._relevant[_as_hub(hub)])
        return [self._told.set(one.key, value) for one in new]

    def visited(self, request: Request, page: Read | None) -> None:
        """A relevant page speaks for the page that it was found on."""
        if page is None or page.relevance < RELEVANT or len(self._relevant) >= _MOST_PAGES:
            return
        self._relevant[request.id] = -1
        self._relevant[_as_hub(request.parent)] += 1
        self._told.doubtful.update(self._links.get(request.parent, ()))

    def moved(self) -> dict[int, float]:
        """Return what more relevant pages have changed."""
        now = {key: _share(self._relevant[_as_hub(self._of[key])]) for key in self._told.doubtful}
        return self._told.moved(now)

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the relevant out-links of its page so far."""
        return {"relevant out-links of its page": self._relevant[_as_hub(page.request.id)]}

    def forget(self, key: int) -> None:
        """Let go of a link."""
        self._told.forget(key)
        hub = self._of.pop(key, 0)
        if hub in self._links:
            self._links[hub].discard(key)
            if not self._links[hub]:
                del self._links[hub]

    def changes(self) -> bytes:
        """Return the counts that have changed."""
        return self._relevant.changes()

    def everything(self) -> bytes:
        """Return all counts."""
        return self._relevant.everything()

    def recall(self, packed: bytes) -> None:
        """Know counts again."""
        self._relevant.recall(packed)

    def join(self, packed: bytes) -> None:
        """Know the counts of another one."""
        self._relevant.join(packed)


class Rank:
    """Online page importance: each page passes its cash on to those that it links to (Abiteboul et al. 2003, OPIC)."""

    def __init__(self) -> None:
        self._cash = Ledger()
        self._told = _Told()
        self._usual = _START_CASH

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Pass the page's cash on, in equal shares."""
        cash = self._cash.pop(page.request.id) or _START_CASH * (not page.request.parent)
        self._usual = _CASH_REMEMBERED * self._usual + (1 - _CASH_REMEMBERED) * cash
        share = cash / max(1, len(targets))
        room = len(self._cash) < _MOST_PAGES
        for key in targets if room else self._cash.known(targets):
            self._cash[key] += share
        self._told.doubtful.update(self._told.values.keys() & targets)

    def found(self, page: Read, new: Sequence[New]) -> list[float]:  # noqa: ARG002 - part of `Term`
        """Return what the cash of new pages is worth, which `linked` has given them."""
        return [self._told.set(one.key, self._value(one.key)) for one in new]

    def visited(self, request: Request, page: Read | None) -> None:
        """What cannot be read passes nothing on."""
        if page is None:
            self._cash.pop(request.id)

    def moved(self) -> dict[int, float]:
        """Return what more cash has changed."""
        return self._told.moved({key: self._value(key) for key in self._told.doubtful})

    def _value(self, key: int) -> float:
        cash = self._cash[key]
        return cash / (cash + self._usual)

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return its cash."""
        return {"cash": self._cash[one.key]}

    def forget(self, key: int) -> None:
        """Let go of a link; its cash stays until it is read."""
        self._told.forget(key)

    def changes(self) -> bytes:
        """Return the cash that has changed hands."""
        return self._cash.changes()

    def everything(self) -> bytes:
        """Return all cash."""
        return self._cash.everything()

    def recall(self, packed: bytes) -> None:
        """Know cash again."""
        self._cash.recall(packed)

    def join(self, packed: bytes) -> None:
        """Know the cash of another one."""
        self._cash.join(packed)


def _share(count: float) -> float:
    return count / (count + _HALF_LINKS)


def _as_hub(page: int) -> int:
    """Return the key of a page as one that links to others: it may be a relevant one as well."""
    return page ^ 0x5555555555555555
