"""The pace of a back-up: a number of bytes per second, and rests beside a crawl, so that others have room."""

import time
from collections.abc import Callable

# Beside a crawl, a back-up rests for so many times as long as it works. The lowest priority alone is not enough: what shares
# the caches and the execution units of a processor slows the crawl, too.
_RESTS = 3.0


class ByteRate:
    """Sleeps after bytes that came too soon, and after work beside a crawl; otherwise it never does."""

    def __init__(
        self,
        bytes_per_second: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        is_crawled: Callable[[], bool] = lambda: False,
        processor: Callable[[], float] = time.process_time,
    ) -> None:
        self._bytes_per_second = bytes_per_second
        self._clock = clock
        self._sleep = sleep
        self._free_s = clock()
        self._is_crawled = is_crawled
        self._processor = processor
        self._worked_s = processor()

    def spend(self, size: int) -> None:
        """Wait until these bytes may have passed."""
        if self._is_crawled():
            self._sleep(_RESTS * (self._processor() - self._worked_s))
        self._worked_s = self._processor()
        if not self._bytes_per_second:
            return
        now_s = self._clock()
        self._free_s = max(self._free_s, now_s) + size / self._bytes_per_second
        if self._free_s > now_s:
            self._sleep(self._free_s - now_s)
