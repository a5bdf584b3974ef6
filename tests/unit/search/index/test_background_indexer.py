import os
import threading
from typing import NoReturn

import pytest

from gossamer.errors import BadInput, MissingExtra, StoreFailed
from gossamer.search.index import background_indexer
from gossamer.search.index.background_indexer import Companion, keep_up

WAITS = (
    "import sys; from gossamer.search.companion import keep_up; sys.exit(keep_up(lambda: None, 0, 600) or 0)"
)


def test_it_refreshes_until_all_is_in() -> None:
    orders, control = os.pipe()
    again = threading.Semaphore(0)
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(keep_up(again.release, orders, 0.001)))
    thread.start()
    for _ in range(3):
        again.acquire()
    assert thread.is_alive()
    os.write(control, b".")
    thread.join()
    assert found == [""]
    os.close(orders)
    os.close(control)


def test_only_the_last_refresh_has_to_succeed() -> None:
    def busy() -> NoReturn:
        raise BadInput("somebody else is writing")

    orders, control = os.pipe()
    os.write(control, b".")
    assert keep_up(busy, orders, 600) == "somebody else is writing"
    os.close(orders)
    os.close(control)


def test_it_ends_with_the_crawl_and_at_once_when_that_is_broken_off() -> None:
    with Companion(WAITS, []) as whole:
        pass
    assert whole._process.returncode == 0
    cut = Companion(WAITS, [])
    with pytest.raises(KeyboardInterrupt), cut:
        raise KeyboardInterrupt
    assert cut._process.returncode == background_indexer._ORPHANED


def test_what_went_wrong_is_told_when_the_crawl_has_ended() -> None:
    failing = Companion("import sys; sys.exit('first line\\nno room is left')", [])
    with pytest.raises(StoreFailed, match=r"no room is left; `gossamer index` brings"), failing:
        pass


def test_without_the_engine_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_indexer, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"gossamer\[search\]"):
        Companion("", [])
