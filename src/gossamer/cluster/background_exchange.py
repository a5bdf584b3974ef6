"""Exchange turns, reserved pages and the status with the database in the background, while a fetcher crawls."""

import threading
import time
from collections.abc import Callable

from gossamer.cluster.address_turns import AddressTurns
from gossamer.cluster.reserved_pages import ReservedPages
from gossamer.errors import StoreFailed

EXCHANGE_S = 0.05
LOOK_S = 1.0
"""How often a fetcher writes its status, and looks whether tasks were started and whether others want its addresses."""
LONGEST_WAIT_S = 5.0
"""Between two tries to reach a database or an archive that is away."""


class BackgroundExchange:
    """Exchanges turns and reserved pages with the database in the background while a part is crawled."""

    def __init__(self, turns: AddressTurns, pages: ReservedPages, look: Callable[[], bool]) -> None:
        self._turns = turns
        self._pages = pages
        self._look = look
        self._ended = threading.Event()

    def running(self, on_failure: Callable[[StoreFailed], None]) -> "_Running":
        """Run while the block runs; `on_failure` is called if the database refuses an exchange."""
        return _Running(threading.Thread(target=self._run, args=(on_failure,), daemon=True), self._ended)

    def _run(self, on_failure: Callable[[StoreFailed], None]) -> None:
        looked_s = pause_s = 0.0
        while not self._ended.wait(EXCHANGE_S + pause_s):
            now_s = time.monotonic()
            is_due = now_s - looked_s > LOOK_S
            try:
                if self._turns.is_waiting or is_due:
                    self._turns.exchange()
                self._pages.exchange()
                if is_due:
                    looked_s = now_s
                    self._look()
                pause_s = 0.0
            except StoreFailed as failure:
                if not failure.full:
                    on_failure(failure)
                    return
                pause_s = min(LONGEST_WAIT_S, 2 * pause_s + 0.2)


class _Running:
    def __init__(self, thread: threading.Thread, ended: threading.Event) -> None:
        self._thread = thread
        self._ended = ended

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
