"""Measure page watching over 30 pretend days: which planted changes are told, and what is told that did not happen.

    python bench/watching.py [--pages 60] [--days 30] [--json]

Pages of a lab world change at known times, and some vanish; a line with a price changes on known days, and a notice comes
and goes. Two thirds of the pages also carry noise that is new at each request or each day: a counter, a session number,
"3 minutes ago", the date, the time, advertisements in turn by chance, a random quotation. Each page is checked once a day
through the real crawl, store and archive; only clock and network are simulated. The truth comes from the lab's timetable
and from this file, and knows nothing of the watch.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import xxhash

from command_line import run_benchmark
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork
from gossamer.crawl.task.task import Task
from gossamer.fetch.fake_fetcher import FakeFetcher, make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.request_head import parse_target
from gossamer.lab.behaviour.page_changes import DAY_S, EPOCH_S
from gossamer.lab.options import Changes
from gossamer.lab.server.answer import LabRequest
from gossamer.lab.world.world import World
from gossamer.records import Outcome
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.watch.change_log import PageChange
from gossamer.watch.check_pages import PageCheck
from gossamer.watch.schedule_looks import make_spec, schedule_looks
from gossamer.watch.watch_list import WatchedPage

PAGES, DAYS, SEED = 60, 30, 5
TASK = {"allow_private": ["127.0.0.0/8"], "delay_s": 1.0, "robots": False, "per_address": False, "tries": 1}
NOISES = ("", "counter", "session", "age", "date", "time", "advertisement", "quotation", "all")
ADVERTISEMENTS = (
    "Ten percent off all kettles and teapots, this week only, at a shop near you.",
    "Learn to play the trombone with a teacher who comes to your home on Mondays.",
    "Fly south for the winter: warm beaches, cold drinks and no queues at the airport.",
    "A new roof before the rain comes? Our carpenters answer within the hour.",
)
QUOTED = (
    "courage",
    "patience",
    "laughter",
    "music",
    "silence",
    "bread",
    "a garden",
    "the sea",
    "an old friend",
)
_PRICE_EVERY, _NOTICE_EVERY = 7, 11
_OK, _NOT_MODIFIED = 200, 304
_NUMBER = re.compile(r"\d+")
_END_OF_HEADING = re.compile(rb"</h1>", re.IGNORECASE)


class Told(NamedTuple):
    """What happened to a page at the check of a day, as planted or as told."""

    url: str
    day: int
    kind: str


class Days:
    """A world that changes, with noise, behind a simulated network and clock."""

    def __init__(self, folder: Path, pages: int, seed: int) -> None:
        self.world = World(
            seed=seed,
            hosts=max(2, pages // 10),
            pages=2 * pages,
            port=8100,
            changes=Changes(changes_per_day=0.1, vanishing=0.15, vanish_days=20.0),
        )
        self.folder = folder
        self._dice = Random(seed)
        self.store = SqliteStore(folder / "state.sqlite", create=True)
        self.time = SimulatedNetwork(FakeFetcher(self._answer), float(EPOCH_S))
        self.requests = 0
        self.urls = self._choose_pages(pages)
        self._spec = make_spec(self.store, TASK)
        self._visitors = Counter[str]()

    def _choose_pages(self, most: int) -> list[str]:
        """Return pages that exist at the start and have a text."""
        found: list[str] = []
        for number in range(2 * most):
            url = self.world.url(number)
            if exists(self.world, url, 0) and len(found) < most:
                found.append(url)
        return found

    def day(self) -> int:
        """Return the number of the day."""
        return int(self.world_s() // DAY_S)

    def world_s(self) -> float:
        """Return the time since the world began."""
        return self.time.now_s - EPOCH_S

    def look(self, urls: Sequence[str]) -> None:
        """Fetch pages through the real crawl."""
        note = schedule_looks(self.store, urls, self._spec, self.time.now_s)

        async def run() -> None:
            crawl = Crawl(self.store, self.folder, lambda _: None, fresh=True, simulated=self.time)
            crawl.resume(note, Task(self._spec))
            await crawl.walk(self.time, lambda: False)

        asyncio.run(run())

    def _answer(self, url: str, ask: FetchOptions) -> Outcome:
        self.requests += 1
        target = parse_target(url)
        assert target is not None
        noise = choose_noise(self.urls, url)
        # The world stands still during a day, so that the truth does not depend on the seconds of a request.
        said = self.world.answer(LabRequest("GET", target.authority, target.path), self.day() * DAY_S)
        sent = [(name, value) for name, value in said.headers if name not in ("ETag", "Last-Modified")]
        body, status = said.body, said.status
        if status == _OK:
            planted = "".join(self._plant(url, noise))
            body = _END_OF_HEADING.sub(lambda end: end[0] + planted.encode(), body, count=1)
            assert planted.encode() in body or url not in self.urls
            tag = f'"{xxhash.xxh3_64_hexdigest(body)}"'
            if not noise:  # pages made anew for each request have no tag
                sent.append(("ETag", tag))
                status = _NOT_MODIFIED if ask.etag == tag else _OK
        return make_response(
            url, body if status != _NOT_MODIFIED else b"", status, sent, ask, now_s=self.time.now_s
        )

    def _plant(self, url: str, noise: str) -> Iterator[str]:
        """Yield paragraphs: a price, a notice on some days, and noise between them."""
        if url not in self.urls:
            return
        yield from self._make_noise(url, noise, ("counter", "advertisement", "date"))
        yield f"<p>{make_price(self.urls.index(url), self.day())}</p>"
        yield from self._make_noise(url, noise, ("session", "age", "quotation", "time"))
        if notice := make_notice(self.urls.index(url), self.day()):
            yield f"<p>{notice}</p>"

    def _make_noise(self, url: str, noise: str, kinds: Sequence[str]) -> Iterator[str]:
        self._visitors[url] += 1
        now = time.gmtime(self.time.now_s)
        made = {
            "counter": f"This page was asked for {12_000 + 3 * self._visitors[url]} times since the year 1999.",
            "session": f"Your session is {self._dice.getrandbits(64):016x}, please keep it for questions.",
            "age": f"The last comment was written {self._dice.randrange(2, 50)} minutes ago by a reader.",
            "date": time.strftime("Today is %A, %d %B %Y, and the shop is open.", now),
            "time": time.strftime("The clock on the tower shows %H:%M at this moment.", now),
            "advertisement": self._dice.choice(ADVERTISEMENTS),
            "quotation": f"Thought of the moment: nothing is better for the soul than {self._dice.choice(QUOTED)}.",
        }
        for kind in kinds:
            if noise in (kind, "all"):
                yield f"<p>{made[kind]}</p>"


def exists(world: World, url: str, day: int) -> bool:
    """Say whether a page is there at the beginning of a day."""
    known = world.page(url, day * DAY_S)
    return known is not None and known.born_s <= day * DAY_S < known.gone_s


def choose_noise(urls: Sequence[str], url: str) -> str:
    """Return the noise of a page; each kind is equally frequent."""
    return NOISES[urls.index(url) % len(NOISES)] if url in urls else ""


def make_price(page: int, day: int) -> str:
    """Return a line whose number changes every week, on a day that depends on the page."""
    return f"The price of one ticket for grown people is {20 + (day + page) // _PRICE_EVERY} crowns."


def make_notice(page: int, day: int) -> str:
    """Return a notice that stands for some days of every second period, and is missing in between."""
    period = (day + page) // _NOTICE_EVERY
    return f"Notice: the northern hall is closed for repairs until week {period}." if period % 2 else ""


def list_truth(days: Days, last: int) -> set[Told]:
    """Return what a perfect watcher tells: computed from the timetable and the planted lines alone."""
    truth = set()
    for page, url in enumerate(days.urls):
        before: tuple[object, ...] | None = None
        for day in range(last + 1):
            now = None
            if exists(days.world, url, day):
                known = days.world.page(url, day * DAY_S)
                assert known is not None
                now = known.version, make_price(page, day), make_notice(page, day)
            if day and now != before:
                truth.add(Told(url, day, "gone" if now is None else "changed"))
            before = now
    return truth


def run_days(days: Days, last: int) -> list[tuple[int, PageChange]]:
    """Check all pages once a day; return what was told, each with its day."""
    told: list[tuple[int, PageChange]] = []
    watched = [WatchedPage(url) for url in days.urls]
    for day in range(last + 1):
        # At another hour each day: the clock on the page must not stand still.
        days.time.now_s = EPOCH_S + day * DAY_S + (day * 5 % 20) * 3600.0 + 60.0 * (day * 7 % 60)
        check = PageCheck(days.store, days.folder / "archive", days.look, days.time.now_s)
        watched = check.run(watched)
        told += [(day, change) for change in check.changes]
    return told


def compare(days: Days, truth: set[Told], told: list[tuple[int, PageChange]]) -> dict[str, float]:
    """Return the share of planted changes that was told, what was told beyond, and whether differences show the prices."""
    said = [Told(change.url, day, change.kind) for day, change in told]
    invented = [one for one in said if one not in truth] + [
        one for one, times in Counter(said).items() for _ in range(times - 1)
    ]
    missed = sorted(truth - set(said))
    for name, ones in (("missed", missed), ("invented", invented)):
        for one in ones[:10]:
            print(f"{name}: {one}", file=sys.stderr)
    shown = [
        price_is_marked(days.urls.index(change.url), day, change)
        for day, change in told
        if change.kind == "changed" and has_new_price(days.urls.index(change.url), day)
    ]
    return {
        "watching.found": 1.0 - len(missed) / max(len(truth), 1),
        "watching.invented": float(len(invented)),
        "watching.marked": sum(shown) / max(len(shown), 1),
        "watching.planted": float(len(truth)),
    }


def has_new_price(page: int, day: int) -> bool:
    """Say whether the price of a page is not that of the day before."""
    return make_price(page, day) != make_price(page, day - 1)


def price_is_marked(page: int, day: int, change: PageChange) -> bool:
    """Say whether a difference marks the new price and the old one, and no other word of the line."""
    wanted = [_NUMBER.findall(make_price(page, each)) for each in (day - 1, day)]
    return any(
        [span.text.split() for span in block.words if span.kind != "same"] == wanted
        for block in change.blocks
        if block.kind == "changed"
    )


def measure(pages: int = PAGES, days: int = DAYS, seed: int = SEED) -> dict[str, float]:
    """Watch pages for some days, and compare what was told with what was planted."""
    with tempfile.TemporaryDirectory() as folder:
        world = Days(Path(folder), pages, seed)
        told = run_days(world, days)
        found = compare(world, list_truth(world, days), told)
        found["watching.requests_a_check"] = world.requests / (len(world.urls) * (days + 1))
        world.store.close()
    return found


def main() -> int:
    """Measure with the options of the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--pages", type=int, default=PAGES)
    asked.add_argument("--days", type=int, default=DAYS)
    asked.add_argument("--seed", type=int, default=SEED)
    given = asked.parse_args()
    return run_benchmark("watching", lambda: measure(given.pages, given.days, given.seed), given.json)


if __name__ == "__main__":
    sys.exit(main())
