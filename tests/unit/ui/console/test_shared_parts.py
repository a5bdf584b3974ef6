from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.config import from_options
from gossamer.crawl.status.read_status import read_status
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.store.batch import Batch
from gossamer.ui.console.tasks import shared_parts
from gossamer.ui.console.tasks.shared_parts import SharedParts
from gossamer.web import Web, open_to_read


class Clock:
    """A clock that a test moves; each read of the status takes `read_s`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.read_s = 0.0
        self.reads = 0
        monkeypatch.setattr(shared_parts, "read_status", self._read)

    def __call__(self) -> float:
        return self.now_s

    def _read(self, *given: Any) -> CrawlStatus:
        self.reads += 1
        self.now_s += self.read_s
        return read_status(*given)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_viewers_who_ask_within_a_second_share_a_status(library: Path, clock: Clock) -> None:
    parts = SharedParts(clock)
    with open_to_read(library) as web:
        first = parts.read_status(web, is_shared=True)
        clock.now_s += 0.8
        assert parts.read_status(web, is_shared=True) is first
        clock.now_s += 0.2
        assert parts.read_status(web, is_shared=True) is not first
        assert parts.read_status(web) is not first
    assert clock.reads == 3


def test_another_state_and_other_options_are_read_at_once(own: Path, clock: Clock) -> None:
    parts = SharedParts(clock)
    with Web(own) as web:
        before = parts.read_status(web)
        note = web.task("2")
        web.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="paused")]))
        paused = parts.read_status(web, is_shared=True)
        assert paused is not before
        assert [one.note.state for one in paused.tasks if one.note.number == 2] == ["paused"]
        changed = msgspec.json.encode(from_options(seeds=["https://www.example.org/"], pages=77))
        web.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="paused", spec=changed)]))
        assert parts.read_status(web, is_shared=True) is not paused


def test_a_status_that_takes_long_to_read_is_shared_longer(library: Path, clock: Clock) -> None:
    clock.read_s = 0.5
    parts = SharedParts(clock)
    with open_to_read(library) as web:
        first = parts.read_status(web)
        clock.now_s += 9.0
        assert parts.read_status(web, is_shared=True) is first
        clock.now_s += 2.0
        assert parts.read_status(web, is_shared=True) is not first


def test_a_part_is_rendered_once_and_each_visitor_gets_the_own_key(library: Path, clock: Clock) -> None:
    parts, rendered = SharedParts(clock), list[str]()

    def render(form_key: str) -> str:
        rendered.append(form_key)
        name = f"name=&#34;form_key&#34; value=&#34;{form_key}&#34;"  # a task may be called like this
        return f'<p>{name}</p><input name="form_key" value="{form_key}">'

    with open_to_read(library) as web:
        status = parts.read_status(web)
        one, two = (parts.render(status, "list", render, key) for key in ("mine", "yours"))
        assert len(rendered) == 1
        assert (one.count("mine"), two.count("yours")) == (1, 1)
        assert one.replace("mine", "yours") == two
        assert "yours" in parts.render(parts.read_status(web), "list", render, "yours")
        assert len(rendered) == 2
