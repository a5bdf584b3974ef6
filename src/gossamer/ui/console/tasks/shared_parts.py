"""What the pages of tasks ask for every second is read and rendered once for all who look."""

import threading
import time
from collections.abc import Callable

from starlette.requests import Request

from gossamer.crawl.status.read_status import read_status
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.store.batch import TaskNote
from gossamer.web import Web

_SHARED_S = 0.9
"""Less than the second after which each page asks again."""
# Reading the status takes at most a twentieth of the time of one processor.
_SHARE_OF_TIME = 0.05
_FORM_KEY, _SHARED_KEY = 'name="form_key" value="{}"', "key-of-the-visitor"
"""How a form names its key. Texts cannot imitate it: their quotes are escaped."""


class SharedParts:
    """The last status of a web, and the parts of pages that were rendered from it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until_s = 0.0
        """How long the status is shared."""
        self._status: CrawlStatus | None = None
        self._parts: dict[str, str] = {}

    def read_status(self, web: Web, is_shared: bool = False) -> CrawlStatus:
        """Read the status of a web; return one that another viewer has just read if it `is_shared`.

        Another state of a task, or other options, are read at once.
        """
        with self._lock:
            if is_shared and self._status is not None and self._clock() < self._until_s:
                shown = [one.note for one in self._status.tasks]
                if _strip_counts(shown) == _strip_counts(web.store.tasks()):
                    return self._status
            began_s = self._clock()
            self._status, self._parts = read_status(web.store, web.folder, time.time()), {}
            now_s = self._clock()
            self._until_s = max(began_s + _SHARED_S, now_s + (now_s - began_s) / _SHARE_OF_TIME)
            return self._status

    def render(self, status: CrawlStatus, name: str, make: Callable[[str], str], form_key: str) -> str:
        """Return a part of a page for the visitor with this key; `make` renders it for all, with the key that it is given."""
        with self._lock:
            part = self._parts.get(name) if status is self._status else None
        if part is None:
            part = make(_SHARED_KEY)
            with self._lock:
                if status is self._status:
                    self._parts[name] = part
        return part.replace(_FORM_KEY.format(_SHARED_KEY), _FORM_KEY.format(form_key))


def _strip_counts(notes: list[TaskNote]) -> list[tuple[int, str, str, bytes]]:
    return sorted((note.number, note.state, note.reason, note.spec) for note in notes)


def get_shared_parts(request: Request) -> SharedParts:
    """Return the parts that the viewers of an application share."""
    parts: SharedParts = request.app.state.shared_parts
    return parts
