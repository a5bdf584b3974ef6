"""The pauses between the requests of previews: one request at a time for each host and address, and then its pause."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from gossamer.errors import GossamerError

_POLL_S = 0.05
_MOST_NAMES = 4_096


class HostBusy(GossamerError):  # noqa: N818 - it is no error of the program
    """The pause of a host is longer than a reader waits for a preview."""


class Turn:
    """The turn at a host: while it lasts, no other preview asks the host."""

    def __init__(self) -> None:
        self.pause_s = 0.0
        """How long the host is left alone afterwards; 0 if nothing was sent."""


class _Place:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.ready_s = 0.0


class HostPauses:
    """Knows when each host may be asked again."""

    def __init__(self, longest_wait_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._longest_wait_s = longest_wait_s
        self._clock = clock
        self._places: dict[str, _Place] = {}

    @asynccontextmanager
    async def take_turn(self, names: Sequence[str]) -> AsyncIterator[Turn]:
        """Wait for the turn at a host and its address; raise `HostBusy` if their pause is too long."""
        async with AsyncExitStack() as held:
            # Sorted: two previews that want the same two names must not wait for each other.
            places = [self._find(name) for name in sorted(set(names))]
            for place in places:
                await held.enter_async_context(place.lock)
            wait_s = max((place.ready_s for place in places), default=0.0) - self._clock()
            if wait_s > self._longest_wait_s:
                raise HostBusy(f"its host wants a pause of {wait_s:.0f} more seconds; try again later")
            await asyncio.sleep(max(0.0, wait_s))
            turn = Turn()
            try:
                yield turn
            finally:
                for place in places:
                    place.ready_s = max(place.ready_s, self._clock() + turn.pause_s)

    async def pass_by(self, names: Sequence[str], pause_s: float) -> bool:
        """Wait until other hosts may be asked in the middle of a turn, and begin their pause; False if that takes too long."""
        until_s = self._clock() + self._longest_wait_s
        places = [self._find(name) for name in set(names)]
        while any(place.lock.locked() or place.ready_s > self._clock() for place in places):
            if self._clock() >= until_s:
                return False
            await asyncio.sleep(_POLL_S)
        for place in places:
            place.ready_s = self._clock() + pause_s
        return True

    def _find(self, name: str) -> _Place:
        if len(self._places) >= _MOST_NAMES:
            now_s = self._clock()
            kept = {key: one for key, one in self._places.items() if one.lock.locked() or one.ready_s > now_s}
            self._places = kept
        return self._places.setdefault(name, _Place())
