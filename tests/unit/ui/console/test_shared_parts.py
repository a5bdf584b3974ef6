"""Pages of tasks: one look at the store and one rendering serve all who ask or follow."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.ui.console.test_crawl_watch import HANGS_S, count_readers, run, wait_for

from gossamer.config import from_options
from gossamer.crawl.status.read_status import read_status
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.store.batch import Batch
from gossamer.ui.console.live import crawl_watch
from gossamer.ui.console.live.crawl_watch import LiveMessage, SnapshotReader, Subject
from gossamer.ui.console.make_watch import make_watch
from gossamer.ui.console.tasks import shared_parts
from gossamer.ui.console.tasks.shared_parts import SharedParts
from gossamer.ui.page_context import PageContext
from gossamer.web import Web, open_to_read


class Clock:
    """A clock that a test moves; each read of the status takes `read_s`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.read_s = 0.0
        self.reads = 0
        monkeypatch.setattr(crawl_watch, "read_status", self._read)

    def __call__(self) -> float:
        return self.now_s

    def _read(self, *given: Any) -> CrawlStatus:
        self.reads += 1
        self.now_s += self.read_s
        return read_status(*given)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_pages_that_ask_within_a_second_share_a_status(library: Path, clock: Clock) -> None:
    reader = SnapshotReader(clock)
    with open_to_read(library) as web:
        first = reader.read_shared_status(web)
        clock.now_s += 0.8
        assert reader.read_shared_status(web) is first
        assert reader.read(web, 0, 1.0).status is first
        clock.now_s += 0.2
        assert reader.read_shared_status(web) is not first
        assert reader.read_status(web) is not first
    assert clock.reads == 3


def test_another_state_and_other_options_are_read_at_once(own: Path, clock: Clock) -> None:
    reader = SnapshotReader(clock)
    with Web(own) as web:
        before = reader.read_status(web)
        note = web.task("2")
        web.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="paused")]))
        paused = reader.read_shared_status(web)
        assert paused is not before
        assert [one.note.state for one in paused.tasks if one.note.number == 2] == ["paused"]
        changed = msgspec.json.encode(from_options(seeds=["https://www.example.org/"], pages=77))
        web.store.commit(Batch(tasks=[msgspec.structs.replace(note, state="paused", spec=changed)]))
        assert reader.read_shared_status(web) is not paused


def test_a_status_that_takes_long_to_read_is_shared_longer(library: Path, clock: Clock) -> None:
    clock.read_s = 0.5
    reader = SnapshotReader(clock)
    with open_to_read(library) as web:
        first = reader.read_shared_status(web)
        clock.now_s += 8.0
        assert reader.read_shared_status(web) is first
        clock.now_s += 2.0
        assert reader.read_shared_status(web) is not first


def test_a_part_is_rendered_once_and_each_visitor_gets_the_own_key(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, rendered = SharedParts(), list[str]()
    render_part = shared_parts._render_part
    imitation = 'name="form_key" value="key-of-the-visitor"'

    def render_and_count(context: PageContext, template: str, **facts: Any) -> str:
        rendered.append(template)
        return render_part(context, template, **facts)

    monkeypatch.setattr(shared_parts, "_render_part", render_and_count)
    with Web(own) as web:
        web.store.commit(
            Batch(tasks=[msgspec.structs.replace(web.task("2"), state="paused", name=imitation)])
        )
        with PageContext(own) as context:
            status = read_status(web.store, own, 0.0)
            one, two = (parts.render_list(context, web, status, key) for key in ("mine!", "yours!"))
            assert rendered == ["console/task_list.html"]
            assert one.count('value="mine!"') == two.count('value="yours!"') == one.count("<form") > 0
            assert one.replace("mine!", "yours!") == two
            assert "key-of-the-visitor" in one, "what a task is called stays as it is"
            assert 'value="yours!"' in parts.render_facts(context, web, status, 2, "yours!")
            parts.render_list(context, web, read_status(web.store, own, 0.0), "mine!")
    assert len(rendered) == 3


def test_pages_of_tasks_follow_events_without_a_key(own: Path) -> None:
    async def look() -> None:
        with PageContext(own) as context:
            watch = make_watch(context, SharedParts())
            subjects = [Subject(0, "tasks"), Subject(2, "task"), Subject(77, "task"), Subject()]
            found = []
            for subject in subjects:
                with watch.add_viewer(subject) as viewer:
                    packed = await viewer.take(HANGS_S)
                    assert packed is not None
                    found.append(msgspec.json.decode(packed, type=LiveMessage))
            tasks, facts, none, live = found
            assert 'id="task-list"' in tasks.html
            assert 'id="task-facts"' in facts.html
            assert 'id="task-counts" hx-swap-oob="true"' in facts.html  # they stand elsewhere on the page
            assert (none.html, none.trouble) == ("", "this web has no task 77")
            assert "Longest queues" in live.html
            with Web(own) as web, watch.add_viewer(subjects[0]) as viewer:
                await viewer.take(HANGS_S)
                web.store.commit(Batch(tasks=[msgspec.structs.replace(web.task("2"), state="paused")]))
                packed = await viewer.take(HANGS_S)
                assert packed is not None
                html = msgspec.json.decode(packed, type=LiveMessage).html
                assert 'name="form_key" value=""' in html
            await wait_for(lambda: count_readers() == 0)

    run(look())
