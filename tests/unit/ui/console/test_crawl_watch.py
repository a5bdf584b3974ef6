import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.crawl.status.read_status import list_hosts, read_status
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.errors import StoreFailed
from gossamer.store.batch import Batch
from gossamer.ui.connections.event_response import TooManyViewers
from gossamer.ui.console.live import crawl_watch
from gossamer.ui.console.live.crawl_watch import (
    SHARED_S,
    CrawlWatch,
    LiveMessage,
    SnapshotReader,
    Subject,
)
from gossamer.web import Web, open_to_read

HANGS_S = 30.0
READER = "crawl-watch"


def run(work: Coroutine[Any, Any, None]) -> None:
    async def run_in_time() -> None:
        async with asyncio.timeout(HANGS_S):
            await work

    asyncio.run(run_in_time())


async def wait_for(is_true: Callable[[], bool]) -> None:
    while not is_true():
        await asyncio.sleep(0.01)


def count_readers() -> int:
    return sum(thread.name == READER for thread in threading.enumerate())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_watch, "_EVERY_S", 0.02)


class Messages:
    """Makes a message from a text, and counts the webs that were opened."""

    def __init__(self, library: Path) -> None:
        self.text = "first"
        self.opened = self.made = 0
        self._library = library

    def open_web(self) -> Web:
        self.opened += 1
        return open_to_read(self._library)

    def make(self, web: Web, reader: SnapshotReader, subject: Subject) -> LiveMessage:
        assert reader.read(web, subject.task, SHARED_S).status.tasks
        self.made += 1
        return LiveMessage(html=f"{self.text} {subject.task}", point={"when_s": time.time()})


def read_html(packed: bytes | None) -> str:
    return msgspec.json.decode(packed, type=LiveMessage).html if packed else ""


def test_viewers_share_one_reader_which_ends_with_the_last(library: Path, quick: None) -> None:
    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        assert count_readers() == 0
        with (
            watch.add_viewer(Subject()) as one,
            watch.add_viewer(Subject()) as two,
            watch.add_viewer(Subject(1)) as three,
        ):
            assert [read_html(await viewer.take(HANGS_S)) for viewer in (one, two, three)] == [
                *("first 0", "first 0", "first 1")
            ]
            assert (count_readers(), made.opened) == (1, 1)
            made.text = "second"
            assert read_html(await two.take(HANGS_S)) == "second 0"
        await wait_for(lambda: not watch.is_running)
        await wait_for(lambda: count_readers() == 0)
        with watch.add_viewer(Subject()) as again:
            assert read_html(await again.take(HANGS_S)) == "second 0"
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_another_state_of_a_task_is_shown_before_the_next_snapshot_is_due(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_watch, "_EVERY_S", 10 * HANGS_S)

    def make(web: Web, reader: SnapshotReader, _: Subject) -> LiveMessage:
        return LiveMessage(html=", ".join(one.note.state for one in reader.read_status(web).tasks))

    async def look() -> None:
        watch = CrawlWatch(lambda: open_to_read(own), make)
        with watch.add_viewer(Subject()) as viewer:
            assert read_html(await viewer.take(HANGS_S)) == "finished, finished"
            with Web(own) as web:
                web.store.commit(Batch(tasks=[msgspec.structs.replace(web.task("2"), state="stopped")]))
                watch.reader.read_status(web)  # as a page that is loaded at this moment does
            assert read_html(await viewer.take(HANGS_S)) == "finished, stopped"
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_what_did_not_change_is_not_sent_again(library: Path, quick: None) -> None:
    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        with watch.add_viewer(Subject()) as viewer:
            assert await viewer.take(HANGS_S)
            before = made.made
            await wait_for(lambda: made.made > before + 3)
            assert await viewer.take(0.0) is None
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_a_late_viewer_gets_the_last_message_at_once(library: Path) -> None:
    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        with watch.add_viewer(Subject()) as first:
            assert await first.take(HANGS_S)
            with watch.add_viewer(Subject()) as late:
                assert read_html(await late.take(HANGS_S)) == "first 0"
            assert made.made == 1
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_trouble_is_told_in_a_sentence_and_passes(library: Path, quick: None) -> None:
    async def look() -> None:
        made = Messages(library)
        fails = True

        def open_web() -> Web:
            if fails:
                raise StoreFailed("the database does not answer")
            return made.open_web()

        watch = CrawlWatch(open_web, made.make)
        with watch.add_viewer(Subject()) as viewer:
            packed = await viewer.take(HANGS_S)
            assert packed is not None
            assert msgspec.json.decode(packed, type=LiveMessage).trouble == "the database does not answer"
            fails = False
            assert read_html(await viewer.take(HANGS_S)) == "first 0"
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_there_is_room_for_some_viewers_only(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_watch, "_MOST_VIEWERS", 1)

    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        with watch.add_viewer(Subject()), pytest.raises(TooManyViewers), watch.add_viewer(Subject()):
            pass
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_a_snapshot_is_shared_for_a_while(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 100.0
    read: list[int] = []

    def read_and_count(*given: Any, **named: Any) -> CrawlStatus:
        read.append(1)
        return read_status(*given, **named)

    monkeypatch.setattr(crawl_watch, "read_status", read_and_count)
    reader = SnapshotReader(lambda: now_s)
    with open_to_read(library) as web:
        first = reader.read(web, 0, 1.0)
        now_s += 0.5
        assert reader.read(web, 0, 1.0) is first
        now_s += 2.0
        assert reader.read(web, 0, 1.0) is not first
        assert len(read) == 2


def test_a_slow_store_is_read_less_often(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 100.0
    asked: list[float] = []

    def read_slowly(*given: Any, **named: Any) -> Any:
        nonlocal now_s
        now_s += 0.5
        return read_status(*given, **named)

    def list_slowly(*given: Any) -> Any:
        nonlocal now_s
        now_s += 1.0
        asked.append(now_s)
        return list_hosts(*given)

    monkeypatch.setattr(crawl_watch, "read_status", read_slowly)
    monkeypatch.setattr(crawl_watch, "list_hosts", list_slowly)
    reader = SnapshotReader(lambda: now_s)
    with open_to_read(library) as web:
        reader.read(web, 0)
        assert reader.rest_s == pytest.approx(10.0)
        now_s += 10.0
        reader.read(web, 0)
        assert len(asked) == 1, "hosts are kept for a while"
        now_s += 60.0
        reader.read(web, 0)
        assert len(asked) == 2
