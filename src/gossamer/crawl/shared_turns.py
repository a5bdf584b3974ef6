"""Locks that the shards of one machine share: turns at hosts and addresses, and claims on the pages that a limit leaves.

They live in an unnamed file that all shards hold open. A turn is a lock on bytes of it, which the system releases when
its process dies; beside each lock stands the time before which the host may not be asked again. Two hosts of one
address may belong to two shards, so neither shard can know by itself when the address may be asked.
"""

import fcntl
import mmap
import os
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from gossamer.fetch.bandwidth.token_bucket import FileCell
from gossamer.net import url as urls

MOST_SHARDS = 64
_TASKS = 1024
"""Task numbers share a place by their remainder: few of a thousand run at once."""
_PLACES = 1 << 18
"""Places for turns. Two names that share a place wait for each other needlessly: one in 64 when 4,096 are in use."""
_CLAIMS_BYTES = 8 * _TASKS * MOST_SHARDS
_RATES_AT = _CLAIMS_BYTES + 8 * _PLACES
_BYTES = _RATES_AT + 8 * _TASKS
_NUMBER = struct.Struct("<q")
_TIME = struct.Struct("<d")
# In place of a time: a request is under way. If the lock is free then, its process died meanwhile.
_ASKING = -1.0
_LOOK_AGAIN_S = 0.05


def create_file() -> int:
    """Create the file that the shards of a run share; return its descriptor."""
    import tempfile  # late: a crawl in one process shares nothing

    with tempfile.TemporaryFile() as file:
        file.truncate(_BYTES)
        return os.dup(file.fileno())


class SharedTurns:
    """One shard's view of the shared locks. Time is the machine's monotonic clock, the same for all its processes."""

    def __init__(self, file: int, shard: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._memory = mmap.mmap(file, _BYTES)
        self._view = memoryview(self._memory)
        self._shard = shard
        self._clock = clock
        self._held: Counter[int] = Counter()
        """Places that this process has locked, and for how many turns."""
        self._ready_s: dict[int, float] = {}
        """When each of these places may be asked again, by the turns that are over."""

    def close(self) -> None:
        """Release all locks and close the file."""
        with suppress(BufferError):  # a bandwidth limit still has its number; the memory goes with it
            self._view.release()
            self._memory.close()
        os.close(self._file)

    # Turns

    def begin(self, names: Iterable[str], pause_s: float) -> float:
        """Take the turn at all of these hosts and addresses; return 0.0, or after how many seconds to try again.

        `pause_s` is the pause where another process died during its turn.
        """
        taken: list[int] = []
        for place in sorted(set(map(_place_of, names))):
            wait_s = self._take(place, pause_s)
            if wait_s > 0.0:
                for each in taken:
                    self._release(each)
                return wait_s
            taken.append(place)
        return 0.0

    def end(self, pauses: Mapping[str, float]) -> None:
        """Release the turns that were taken together, with the pause in seconds that follows each."""
        waits_s: dict[int, float] = {}
        for name, pause_s in pauses.items():
            place = _place_of(name)
            waits_s[place] = max(pause_s, waits_s.get(place, 0.0))
        for place, pause_s in waits_s.items():
            self._ready_s[place] = max(self._ready_s.get(place, 0.0), self._clock() + pause_s)
            self._release(place)

    def _take(self, place: int, pause_s: float) -> float:
        if not self._held[place]:
            at = _CLAIMS_BYTES + 8 * place
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 8, at)
            except OSError:
                return _LOOK_AGAIN_S
            now_s = self._clock()
            ready_s: float = _TIME.unpack_from(self._memory, at)[0]
            if ready_s == _ASKING:
                ready_s = now_s + pause_s
                _TIME.pack_into(self._memory, at, ready_s)
            if ready_s > now_s:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 8, at)
                return ready_s - now_s
            self._ready_s[place] = ready_s
            _TIME.pack_into(self._memory, at, _ASKING)
        self._held[place] += 1
        return 0.0

    def _release(self, place: int) -> None:
        self._held[place] -= 1
        if not self._held[place]:
            del self._held[place]
            at = _CLAIMS_BYTES + 8 * place
            _TIME.pack_into(self._memory, at, self._ready_s.pop(place))
            fcntl.lockf(self._file, fcntl.LOCK_UN, 8, at)

    # Bandwidth

    def make_cell(self, task: int) -> FileCell:
        """Return where the bandwidth limit of a task keeps its number for all shards."""
        return FileCell(self._file, self._view, (_RATES_AT + 8 * (task % _TASKS)) // 8)

    # PageQuota

    @contextmanager
    def lock_claims(self) -> Iterator[None]:
        """Keep other shards from claiming pages while the block runs."""
        fcntl.lockf(self._file, fcntl.LOCK_EX, _CLAIMS_BYTES, 0)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, _CLAIMS_BYTES, 0)

    def claim(self, task: int, pages: int) -> None:
        """Publish how many pages of a task this shard has under way or unwritten."""
        _NUMBER.pack_into(self._memory, _claim_at(task, self._shard), pages)

    def sum_claims(self, task: int) -> int:
        """Return how many pages of a task the other shards have claimed."""
        others = (shard for shard in range(MOST_SHARDS) if shard != self._shard)
        return sum(_NUMBER.unpack_from(self._memory, _claim_at(task, shard))[0] for shard in others)


def _place_of(name: str) -> int:
    return urls.page_id(name) % _PLACES


def _claim_at(task: int, shard: int) -> int:
    return 8 * (task % _TASKS * MOST_SHARDS + shard)
