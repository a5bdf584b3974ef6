"""Bandwidth and quiet hours in whole crawls of a loopback web."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import Toy, make_link_page, make_quick_task

from gossamer.crawl.events import PageVisited
from gossamer.crawl.status.read_status import read_status
from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.web import Web, open_to_read

HTML = (("Content-Type", "text/html"),)
BIG_BYTES = 400_000


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    """Two hosts: one with large pages, one with small ones."""
    big = {f"/{number}": LabAnswer(200, HTML, b"x" * BIG_BYTES) for number in range(4)}
    small = {f"/{number}": make_link_page(text=f"page {number}") for number in range(4)}
    start = make_link_page(*big)
    with serving(
        Toy({"127.0.0.1": {"/": start, **big}, "127.0.0.2": {"/": make_link_page(*small), **small}})
    ) as lab:
        yield lab


def now_hours(offset_h: int, length_h: int) -> str:
    """Return hours of a day in UTC that begin so many hours from now."""
    hour = time.gmtime().tm_hour + offset_h
    return f"{hour % 24:02}:00-{(hour + length_h) % 24:02}:00 UTC"


@pytest.mark.slow
def test_large_pages_arrive_whole_at_the_rate_of_the_task(lab: LabServer, tmp_path: Path) -> None:
    seeds = [lab.seeds[0]]
    # A page takes two seconds at this rate; the time for a page does not count while it waits for bandwidth.
    task = make_quick_task(lab, seeds=seeds, scope="host", bandwidth=["200kB/s"], page_time_s=1.5)
    with Web(tmp_path / "web") as web:
        began_s = time.monotonic()
        web.run([task])
        took_s = time.monotonic() - began_s
        pages = [page for page in web.store.pages() if page.body_bytes >= BIG_BYTES]
        counts = web.tasks()[0].counts
    assert len(pages) == 4
    assert not [name for name in counts if name.startswith("failed")]
    assert took_s >= 0.9 * 4 * BIG_BYTES / 200_000


@pytest.mark.slow
def test_quiet_hours_of_a_task_let_nothing_out_and_are_told(lab: LabServer, tmp_path: Path) -> None:
    asked = len(lab.log.entries())
    with Web(tmp_path / "web") as web:
        crawl = web.start(make_quick_task(lab, quiet_hours=[now_hours(-1, 3)], time_s=1.0))
        with open_to_read(tmp_path / "web") as own:
            until_s, stall = time.monotonic() + 60, ""
            notices: list[str] = []
            while time.monotonic() < until_s and not (stall and notices):
                status = read_status(own.store, own.folder, time.time())
                stall = status.stall
                notices = [text for shard in status.shards for _, text in shard.notices]
                time.sleep(0.1)
            time.sleep(1.5)
            assert not crawl.done, "the time in quiet hours does not count for the time limit"
        crawl.stop("seen enough")
        assert crawl.wait(60)
    assert len(lab.log.entries()) == asked
    assert "quiet hours: nothing is fetched until" in stall
    assert "quiet hours: nothing is fetched until" in notices[0]


@pytest.mark.slow
def test_quiet_hours_of_a_host_leave_the_others_alone(lab: LabServer, tmp_path: Path) -> None:
    quiet, visited = f"127.0.0.1 {now_hours(-1, 3)}", []
    task = make_quick_task(lab, quiet_hours=[quiet], time_s=3.0, seeds=[lab.url(), lab.url("127.0.0.2")])

    def observe(event: object) -> None:
        if isinstance(event, PageVisited):
            visited.append(event.url)

    with Web(tmp_path / "web") as web:
        web.run([task], (), observe)
    assert len(visited) == 5
    assert not [url for url in visited if "127.0.0.1" in url]


@pytest.mark.parametrize(
    "wrong",
    [
        {"bandwidth": ["fast"]},
        {"bandwidth": ["www.example.org 1MB/s"]},
        {"host_bandwidth": ["08:00-18:00"]},
        {"quiet_hours": ["mon-sun"]},
    ],
)
def test_wrong_manners_are_refused_before_a_web_is_changed(
    lab: LabServer, tmp_path: Path, wrong: dict[str, list[str]]
) -> None:
    with Web(tmp_path / "web") as web:
        with pytest.raises(BadInput):
            web.run([make_quick_task(lab, **wrong)])
        assert not web.tasks()
