import os
import threading
from typing import NoReturn

import pytest

from gossamer.errors import BadInput, MissingExtra, StoreFailed
from gossamer.search.index import background_indexer
from gossamer.search.index.background_indexer import BackgroundIndexer, refresh_until_end

WAITING_PROGRAM = """
import sys
from gossamer.search.index.background_indexer import refresh_until_end

sys.exit(refresh_until_end(lambda: None, 0, 600) or 0)
"""


def test_it_refreshes_until_the_crawl_has_ended() -> None:
    reading_end, writing_end = os.pipe()
    again = threading.Semaphore(0)
    found: list[str] = []
    thread = threading.Thread(
        target=lambda: found.append(refresh_until_end(again.release, reading_end, 0.001))
    )
    thread.start()
    for _ in range(3):
        again.acquire()
    assert thread.is_alive()
    os.write(writing_end, b".")
    thread.join()
    assert found == [""]
    os.close(reading_end)
    os.close(writing_end)


def test_only_the_last_refresh_has_to_succeed() -> None:
    def fail() -> NoReturn:
        raise BadInput("another process is writing")

    reading_end, writing_end = os.pipe()
    os.write(writing_end, b".")
    assert refresh_until_end(fail, reading_end, 600) == "another process is writing"
    os.close(reading_end)
    os.close(writing_end)


def test_the_process_ends_with_the_crawl_and_exits_when_that_is_interrupted() -> None:
    with BackgroundIndexer(WAITING_PROGRAM, []) as finished:
        pass
    assert finished._process.returncode == 0
    interrupted = BackgroundIndexer(WAITING_PROGRAM, [])
    with pytest.raises(KeyboardInterrupt), interrupted:
        raise KeyboardInterrupt
    assert interrupted._process.returncode == background_indexer._ORPHANED


def test_an_error_is_reported_when_the_crawl_has_ended() -> None:
    failing = BackgroundIndexer("import sys; sys.exit('first line\\nno room is left')", [])
    with pytest.raises(StoreFailed, match=r"no room is left; `gossamer index` brings"), failing:
        pass


def test_without_the_engine_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_indexer, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"gossamer\[search\]"):
        BackgroundIndexer("", [])
