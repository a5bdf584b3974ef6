"""Write the pages of tasks to a stream while they are crawled.

Pages are read from the web, in the order of their visits, so they wait on the disk and not in memory. How far the stream has got is
stored in the web for each lot that the reader has taken whole from the pipe: a task that is resumed goes on there, and its reader misses
no page. After a kill, or after the reader has died, it may get the last lots again.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import BinaryIO, Protocol

from gossamer.crawl.events import PageVisited
from gossamer.crawl.pipe.unread_bytes import count_unread, wait_until_read
from gossamer.records import Page
from gossamer.store.batch import Batch, Store

ROOM = "pipe"
"""The name under which the store keeps how far the stream of each task has got."""
MOST_BEHIND = 500
"""How many visits the stream may be behind before the crawl waits for it."""
SLOW_READER = "the program that reads the pages is slower than the crawl"
READER_GONE = "the program that reads its pages has gone"
_LOT = 50
_LOOK_EVERY_S = 0.1


class PageEncoder(Protocol):
    """Turns pages into bytes."""

    begin: bytes
    """What the stream begins with."""

    def encode(self, page: Page) -> bytes:
        """Return a page as bytes; none if it is left out."""
        ...


class VisitFollower:
    """A thread that writes pages, and knows how far it is behind."""

    def __init__(
        self,
        reading: Store,
        writing: Store,
        encoder: PageEncoder,
        out: BinaryIO,
        on_gone: Callable[[], None],
    ) -> None:
        """`reading` is for this thread alone; `on_gone` is called from it when the reader has gone."""
        self._reading, self._writing = reading, writing
        self._encoder, self._out = encoder, out
        self._on_gone = on_gone
        self._places: dict[int, int] = {}
        """By task: the number of the last visit that was written."""
        self._visits = self._visits_at_look = self._behind_at_look = 0
        self._written_bytes = self._flushed_bytes = 0
        self._lots: deque[tuple[int, dict[int, int]]] = deque()
        """Lots that the reader has not taken whole: where each ends, in bytes, and the places after it."""
        self._ending = threading.Event()
        self._error: BaseException | None = None
        self.pages = 0
        """How many were written."""
        self.is_gone = False
        """Whether the reader has gone."""
        self._thread = threading.Thread(target=self._work, name="gossamer pipe")

    def start(self, tasks: Sequence[int]) -> None:
        """Begin with what these tasks visit from now on, or where their streams ended last time."""
        last = self._writing.last_visit()
        stored = dict(self._writing.notes(ROOM))
        self._places = {task: int(stored.get(str(task), str(last))) for task in tasks}
        self._lots.append((0, dict(self._places)))
        self._store_places()
        self._thread.start()

    def start_unfinished(self) -> None:
        """Begin with all streams that ended before their last page, such as one whose reader died."""
        self.start([int(task) for task, _ in self._writing.notes(ROOM)])

    def count_visit(self, event: object) -> bool:
        """Count an event of the crawl; return whether the crawl should wait for the reader."""
        if isinstance(event, PageVisited):
            self._visits += 1
        return self._behind_at_look + self._visits - self._visits_at_look > MOST_BEHIND

    def finish(self) -> None:
        """Write the rest and end; raise what went wrong."""
        self._ending.set()
        if self._thread.ident is None:
            return
        self._thread.join()
        if self._error is not None:
            raise self._error
        if not self.is_gone:
            self._forget_finished()

    def _work(self) -> None:
        try:
            self._out.write(self._encoder.begin)
            self._written_bytes += len(self._encoder.begin)
            while not self._write_lot() or not self._ending.is_set():
                pass
            if self._lots and not wait_until_read(self._out):
                raise BrokenPipeError
            self._store_places()
        except (BrokenPipeError, ConnectionResetError):
            self.is_gone = True
            self._store_places()
            self._on_gone()
        except BaseException as error:  # noqa: BLE001 - raised again by `finish`
            self._error = error
            self._on_gone()

    def _write_lot(self) -> bool:
        """Write the next pages of each task; return whether nothing was left, after a pause."""
        was_ending = self._ending.is_set()
        self._visits_at_look, last = self._visits, self._reading.last_visit()
        self._behind_at_look = max((last - place for place in self._places.values()), default=0)
        if not self._behind_at_look:
            self._flush()
            self._store_places()
            self._ending.wait(_LOOK_EVERY_S)
            return was_ending
        for task, place in self._places.items():
            if place < last:
                self._places[task] = self._write_pages(task, place, last)
        self._flush()
        self._lots.append((self._written_bytes, dict(self._places)))
        self._store_places()
        return False

    def _write_pages(self, task: int, after: int, upto: int) -> int:
        ids, place = self._reading.visited_pages(task, after, upto, _LOT)
        found = self._reading.pages_by_id(ids)
        for page_id in ids:
            if (page := found.get(page_id)) is not None and (data := self._encoder.encode(page)):
                self._out.write(data)
                self._written_bytes += len(data)
                self.pages += 1
        return place

    def _forget_finished(self) -> None:
        """Forget the places of tasks that have finished: all of their pages were written."""
        ended = [note.number for note in self._writing.tasks() if note.state == "finished"]
        done: dict[tuple[str, str], bytes | None] = {
            (ROOM, str(task)): None for task in ended if task in self._places
        }
        self._writing.commit(Batch(notes=done))

    def _flush(self) -> None:
        self._out.flush()
        self._flushed_bytes = self._written_bytes

    def _store_places(self) -> None:
        """Store the places after the last lot that the reader has taken whole."""
        taken_bytes, places = self._flushed_bytes - count_unread(self._out), None
        while self._lots and self._lots[0][0] <= taken_bytes:
            _, places = self._lots.popleft()
        if places is None:
            return
        notes: dict[tuple[str, str], bytes | None] = {
            (ROOM, str(task)): str(place).encode() for task, place in places.items()
        }
        self._writing.commit(Batch(notes=notes))
