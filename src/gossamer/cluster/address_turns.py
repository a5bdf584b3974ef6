"""Turns at addresses across machines: an address belongs to one fetcher until another one wants it.

The hosts of a fetcher's own territory need no turn here: no other fetcher asks them. Two hosts of one address may belong to two
fetchers, though, and a robots.txt may redirect to any host. Such names are kept in the database, each with its owner and the
time from which it may be asked. They are exchanged in the background, many in one round trip: what is not here yet is
wished for, and its visit waits.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from gossamer.crawl.host_shards import Territory
from gossamer.errors import StoreFailed
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.coordination.turn_table import exchange_turns

LOOK_AGAIN_S = 0.1
"""How soon a visit that waits for a turn asks again."""
MOST_KEPT = 50_000
"""Addresses that a fetcher keeps although it does not ask them any more."""
_HOST, _ADDRESS = "host ", "address "


class AddressTurns:
    """The turns of one fetcher. `begin` and `end` are called by its crawl, `exchange` by another thread."""

    def __init__(
        self,
        session: Session,
        fetcher: int,
        territory: Territory,
        clock: Callable[[], float],
        is_alive: Callable[[], bool],
    ) -> None:
        self._session = session
        self._fetcher = fetcher
        self._territory = territory
        self._clock = clock
        """The database's clock."""
        self._is_alive = is_alive
        """Says whether the fetcher's leases are certainly still its own."""
        self._guard = threading.Lock()
        self._own: dict[str, float] = {}
        """Names that are this fetcher's, and when each may be asked again."""
        self._busy: Counter[str] = Counter()
        self._wishes: dict[str, float] = {}
        self._to_give: set[str] = set()
        self._given: dict[str, float] = {}
        """Names that were given back without an answer of the database: they are given once more."""

    def begin(self, names: Iterable[str], pause_s: float) -> float:
        """Take the turn at a host and its addresses; return 0.0, or after how many seconds to try again."""
        if not self._is_alive():
            return LOOK_AGAIN_S
        with self._guard:
            wanted = self._list_shared(names)
            missing = [name for name in wanted if name not in self._own or name in self._to_give]
            if missing:
                self._wishes.update(dict.fromkeys(missing, pause_s))
                return LOOK_AGAIN_S
            now_s = self._clock()
            ready_s = max((self._own[name] for name in wanted), default=0.0)
            if ready_s > now_s:
                return ready_s - now_s
            self._busy.update(wanted)
            return 0.0

    def end(self, pauses: Mapping[str, float]) -> None:
        """Release the turns that were taken together, with the pause in seconds that follows each."""
        with self._guard:
            now_s = self._clock()
            waits_s = list(pauses.values())
            for name, pause_s in zip(self._mark_names(pauses), waits_s, strict=True):
                if name in self._own and self._busy.get(name):
                    self._busy[name] -= 1
                    if not self._busy[name]:
                        del self._busy[name]
                    self._own[name] = max(self._own[name], now_s + pause_s)

    def exchange(self) -> bool:
        """Give what others want and take what is wished for; return whether there was anything to exchange."""
        with self._guard:
            wished = {name: pause for name, pause in self._wishes.items() if name not in self._to_give}
            self._wishes = {}
            given = self._given = self._given | self._list_free_to_give()
        try:
            found = exchange_turns(self._session, self._fetcher, given, wished)
        except StoreFailed:
            with self._guard:
                self._wishes = wished | self._wishes
            raise
        with self._guard:
            self._given = {}
            self._to_give.difference_update(given)
            for name, state in found.items():
                if name in wished and state.is_own:
                    self._own[name] = state.ready_s
                elif name in wished:
                    self._wishes.setdefault(name, wished[name])
                if state.is_own and state.is_wanted and name in self._own:
                    self._to_give.add(name)
        return bool(given or wished)

    @property
    def is_waiting(self) -> bool:
        """Whether a visit waits for a turn."""
        return bool(self._wishes)

    def give_all(self) -> None:
        """Give everything back; no visit may be under way."""
        with self._guard:
            given, self._own, self._given = self._given | self._own, {}, {}
            self._busy.clear()
            self._to_give.clear()
            self._wishes.clear()
        exchange_turns(self._session, self._fetcher, given, {})

    def _list_free_to_give(self) -> dict[str, float]:
        """Take out of the own names those that others want and no visit uses, and the oldest of too many."""
        spare = max(0, len(self._own) - MOST_KEPT)
        unused = islice((name for name in self._own if not self._busy.get(name)), spare)
        chosen = {name for name in self._to_give if not self._busy.get(name)} | set(unused)
        return {name: self._own.pop(name) for name in chosen if name in self._own}

    def _list_shared(self, names: Iterable[str]) -> list[str]:
        """Return the names that other fetchers may want, too: addresses, and hosts of other territories."""
        marked = self._mark_names(names)
        host = marked[0].removeprefix(_HOST)
        return sorted(set(marked[1:] if self._territory.owns(host) else marked))

    def _mark_names(self, names: Iterable[str]) -> list[str]:
        host, *addresses = names
        return [_HOST + host, *(_ADDRESS + address for address in addresses)]
