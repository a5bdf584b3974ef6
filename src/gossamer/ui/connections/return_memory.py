"""Give memory back to the system after load: the C library keeps what was freed, in an arena for each thread."""

import asyncio
import ctypes
import gc
import time
from collections.abc import Callable
from functools import cache

# Parameters of mallopt in glibc's malloc.h.
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
# Blocks from this size on go back to the system as soon as they are freed. Without a fixed threshold, glibc raises it to
# 32 MB with the first large block that is freed, and keeps all later ones.
_LARGE_BLOCK_BYTES = 256 * 1024
_ARENAS = 2
_LEAST_BETWEEN_S = 5.0
# Under steady load there is no idle moment.
_MOST_BETWEEN_S = 30.0


def bound_memory_kept() -> bool:
    """Let the C library keep less of what is freed; return whether it can. Call it before threads start."""
    library = _find_glibc()
    if library is None:
        return False
    return bool(
        library.mallopt(_M_ARENA_MAX, _ARENAS) and library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BLOCK_BYTES)
    )


def freeze_program() -> None:
    """Leave what exists now, mostly modules, out of later collections, which would take 50 ms instead of less than one."""
    gc.collect()
    gc.freeze()


def return_memory() -> bool:
    """Give free memory back to the system; return whether there was some."""
    # Answered requests leave cycles of some kilobytes, which Python would collect only after many thousands.
    gc.collect()
    library = _find_glibc()
    return library is not None and bool(library.malloc_trim(0))


class MemoryReturner:
    """Gives memory back when requests were answered and none is running, and from time to time under load."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._requests = 0
        self._returned_s = clock()

    async def return_when_idle(self, requests: int, is_busy: bool) -> bool:
        """Give memory back if it is time, in a thread; return whether it was."""
        waited_s = self._clock() - self._returned_s
        if requests == self._requests or waited_s < (_MOST_BETWEEN_S if is_busy else _LEAST_BETWEEN_S):
            return False
        self._requests, self._returned_s = requests, self._clock()
        await asyncio.to_thread(return_memory)
        return True


@cache
def _find_glibc() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
        return library if all(hasattr(library, name) for name in ("mallopt", "malloc_trim")) else None
    except (OSError, TypeError):
        return None
