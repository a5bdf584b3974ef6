"""Shared by the tests of whole crawls: serve a world, crawl it, and check the result."""

import itertools
import sys
from argparse import Namespace
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.events import Notice, PageVisited, Progress, TaskEnded
from gossamer.crawl.task.task import Task
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.request_log import LoggedRequest, RequestLog
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.net import url as urls
from gossamer.records import Link, Page
from gossamer.store.batch import TaskNote
from gossamer.web import Web

LOOPBACK = ["127.0.0.0/8"]
CLOCK_NOISE_S = 0.001
# How long the server holds a stalled answer; it counts as under way until then.
SERVER_PATIENCE_S = 3.0
_ENDS = ("downloaded", "requisites", "cache hits", "redirected", "not modified")


HTML = (("Content-Type", "text/html"),)
Pages = dict[str, dict[str, LabAnswer | Callable[[], LabAnswer]]]
Follows = Callable[[Link, int], bool]


class Toy:
    """A world of a few pages, given as a table: the answer of each host to each target."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        found = self._pages[asked.host.partition(":")[0]].get(asked.target, LabAnswer(404))
        return found if isinstance(found, LabAnswer) else found()

    def hosts(self) -> list[str]:
        return list(self._pages)


def make_link_page(*targets: str, text: str = "") -> LabAnswer:
    """Return a page with this text and these links."""
    return LabAnswer(200, HTML, (text + "".join(f"<a href='{target}'>x</a>" for target in targets)).encode())


def make_quick_task(running: LabServer, **options: Any) -> Task:
    """Return a task without limits over a served world, with short pauses."""
    usual: dict[str, Any] = {
        "seeds": running.seeds,
        "scope": "any",
        "delay_s": 0.01,
        "adaptive": 0.0,
        "back_off_s": 0.1,
        "allow_private": LOOPBACK,
    }
    return Task(**usual | options)


def get_world(running: LabServer) -> World:
    """Return the world that a server serves."""
    assert isinstance(running.world, World)
    return running.world


def read_robots(world: World, host: str) -> str:
    """Return what a host answers for /robots.txt."""
    asked = LabRequest("GET", f"{host}:{world.options.port}", "/robots.txt")
    return world.answer(asked, 0.0).body.decode("latin-1")


@contextmanager
def serve_lab(world: World, log: RequestLog | None = None) -> Iterator[LabServer]:
    """Serve a world from a thread."""
    with serving(world, limits=Limits(patience_s=SERVER_PATIENCE_S), log=log) as running:
        yield running


class EventLog:
    """Collects the events of a crawl and checks at each that the counts add up."""

    def __init__(self) -> None:
        self.all: list[msgspec.Struct] = []

    def __call__(self, event: msgspec.Struct) -> None:
        self.all.append(event)
        match event:
            case Progress(counts=counts):
                for each in counts.values():
                    check_sums(each)
            case TaskEnded(counts=counts):
                check_sums(counts)

    @property
    def visits(self) -> list[PageVisited]:
        """All visits, in order."""
        return [event for event in self.all if isinstance(event, PageVisited)]

    @property
    def notices(self) -> list[str]:
        """The texts of all notices, in order."""
        return [event.text for event in self.all if isinstance(event, Notice)]

    def get_end(self, name: str | None = None) -> TaskEnded:
        """Return how a task ended; without a name, the only one."""
        [found] = [e for e in self.all if isinstance(e, TaskEnded) and name in (None, e.task)]
        return found


def run(folder: Path, *tasks: Task, again: bool = False, processes: int = 1, **changes: Any) -> EventLog:
    """Crawl, in one process or several; with `again`, resume the tasks of the web with some options changed."""
    events = EventLog()
    with Web(folder) as web:
        left = [_change_task(note, changes) for note in web.tasks()] if again else []
        web.run(tasks, left, events, processes=processes)
    return events


def _change_task(note: TaskNote, changes: dict[str, Any]) -> TaskNote:
    spec = config.replace_options(msgspec.json.decode(note.spec, type=TaskSpec), **changes)
    return msgspec.structs.replace(note, spec=msgspec.json.encode(spec))


def make_command(verb: str, *arguments: str) -> list[str]:
    """Return the command line that runs the program in its own process."""
    return [sys.executable, "-m", "gossamer.cli.main", verb, *arguments]


# Checks of counts, store, archive and the server's log


def check_sums(counts: dict[str, int]) -> None:
    """Check that checked = queued + seen + filtered, and that finished is the sum of all outcomes."""
    several = Counter(counts)
    filtered = _sum_counts(several, "filtered:")
    outcomes = [*_ENDS, *(name for name in several if name.startswith(("refused:", "failed:")))]
    ended = sum(several[name] for name in outcomes)
    assert several["checked"] == several["queued"] + several["seen"] + filtered, counts
    assert several["finished"] == ended, counts
    assert several["queued"] >= several["finished"], counts
    assert min(counts.values(), default=0) >= 0, counts


def _sum_counts(counts: Counter[str], prefix: str) -> int:
    return sum(times for name, times in counts.items() if name.startswith(prefix))


def crawl_truth(world: World, seeds: list[str], follows: Follows) -> dict[str, int]:
    """Crawl the world's truth in the simplest way; return the pages reached by followed links, with their depths."""
    depths: dict[str, int] = {}
    queue = deque((seed, 0) for seed in seeds)
    passed: set[str] = set()
    while queue:
        url, depth = queue.popleft()
        truth = world.page(url)
        if url in passed or truth is None:
            continue
        passed.add(url)
        if truth.status in (301, 302, 303, 307, 308):
            redirected = Link(_find_location(world, url), "redirect")
            if follows(redirected, depth):
                queue.appendleft((redirected.url, depth))
            continue
        depths[url] = depth
        queue.extend((link.url, depth + 1) for link in truth.links if follows(link, depth + 1))
    return depths


def _find_location(world: World, url: str) -> str:
    host, _, target = url.removeprefix("http://").partition("/")
    headers = dict(world.answer(LabRequest("GET", host, f"/{target}"), 0.0).headers)
    return urls.canonical(headers["Location"], url)


def read_pages(folder: Path) -> dict[str, Page]:
    """Return the pages of a web by their URLs."""
    with Web(folder, create=False) as web:
        return {page.url: page for page in web.store.pages()}


def check_links(folder: Path, world: World, urls_to_check: list[str]) -> int:
    """Check that titles and links in the store are those of the pages; return the number of links."""
    links = 0
    with Web(folder, create=False) as web:
        for url in urls_to_check:
            truth = world.page(url)
            page = web.store.page(urls.page_id(url))
            assert truth is not None, url
            assert page is not None, url
            assert page.title == truth.title, url
            stored = web.store.links_from(page.id)
            names = web.store.urls({link.target for link in stored})
            # Mirrors name the page that they copy as their canonical form, which is not a link that a reader sees.
            seen = [link for link in stored if link.type != "link"]
            found = [(names[link.target], link.type, link.nofollow) for link in seen]
            expected = [(link.url, link.type, "nofollow" in link.rel) for link in truth.links]
            assert Counter(found) == Counter(expected), url
            links += len(found)
    return links


def check_state(folder: Path) -> None:
    """Check what holds in every web that is not being written to, even after a kill."""
    with Web(folder, create=False) as web:
        store = web.store
        fetched = Counter((v.page, v.task) for v in store.all_visits() if v.result == "fetched")
        assert not [key for key, times in fetched.items() if times > 1], "a page was stored twice"
        waiting = store.counts()["waiting"]
        queued = 0
        for note in web.tasks():
            check_sums(note.counts)
            queued += note.counts.get("queued", 0) - note.counts.get("finished", 0)
        assert waiting == queued, "the waiting links in the store are not those that the tasks count"
        page_ids = {page.id for page in store.pages()}
        assert len(page_ids) == store.counts()["pages"]
        targets = {link.target for link in store.links()}
        assert len(store.urls(targets)) == len(targets), "the URL of a link's target is not stored"


def check_archive(folder: Path) -> Counter[str]:
    """Check the archive with warcio, and that it has the record of each visit that names one.

    Return the number of records of each type, and of those that hold a `page`; the rest are errors and the like.
    """
    files = sorted((folder / "archive").glob("*.warc.gz"))
    # What `warcio check` does, without a process for each archive; it prints what is wrong.
    assert Checker(Namespace(inputs=[str(file) for file in files], verbose=False)).process_all() == 0
    counts: Counter[str] = Counter()
    places: dict[tuple[str, int], str] = {}
    for file in files:
        with file.open("rb") as stream:
            records = ArchiveIterator(stream, no_record_parse=True)
            for record in records:
                counts[record.rec_type] += 1
                if record.rec_type in ("response", "revisit"):
                    at = records.get_record_offset()
                    places[file.name, at] = record.rec_headers.get_header("WARC-Target-URI")
    with Web(folder, create=False) as web:
        promised = web.store.archive_ends()
        assert {file.name: file.stat().st_size for file in files} == promised
        kept = [visit for visit in web.store.all_visits() if visit.warc]
        names = web.store.urls({visit.page for visit in kept})
        expected = {(visit.warc, visit.warc_offset): names[visit.page] for visit in kept}
        assert len(expected) == len(kept), "two visits share a record"
        assert expected == places, "records and visits differ"
        assert counts["response"] + counts["revisit"] == counts["request"] == counts["metadata"]
        counts["page"] = sum(visit.result == "fetched" for visit in kept)
        for page in web.store.pages():
            assert not page.warc or places[page.warc, page.warc_offset] == page.url
    return counts


def end_at_kills(entries: list[LoggedRequest], killed_s: Sequence[float]) -> list[LoggedRequest]:
    """End requests that were under way at a kill with the kill: their connections did not outlive it."""
    opened_s: dict[int, float] = {}
    ended = []
    for entry in entries:
        since_s = opened_s.setdefault(entry.connection, entry.arrived_s)
        kill_s = min((at_s for at_s in killed_s if since_s <= at_s < entry.ended_s), default=entry.ended_s)
        ended.append(msgspec.structs.replace(entry, ended_s=kill_s))
    return ended


def check_polite(
    log: RequestLog,
    delay_s: float,
    host: str | None = None,
    noise_s: float = CLOCK_NOISE_S,
    killed_s: Sequence[float] = (),
) -> int:
    """Check from the server's log that no host got two requests at once or too soon; return the number of gaps.

    A request that was under way when its crawl was killed counts as ended then: a busy server may read it much later.
    """
    gaps = 0
    by_host: dict[str, list[LoggedRequest]] = {}
    for entry in end_at_kills(log.entries(host), killed_s):
        by_host.setdefault(entry.address, []).append(entry)
    for address, entries in by_host.items():
        for one, after in itertools.pairwise(entries):
            gap_s = after.arrived_s - one.ended_s
            assert gap_s >= delay_s - noise_s, (
                f"{address}: {after.target} arrived {gap_s:.4f} s after {one.target}"
            )
            gaps += 1
    return gaps
