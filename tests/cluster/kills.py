"""Kill parts of a crawl by several fetchers, and check that nothing was lost:

    python -m tests.cluster.kills --fetchers 100 --pages 100000
    python -m tests.cluster.kills --database 10 --archive 5 --pages 10000

Four fetchers crawl a synthetic web. At random moments a fetcher, the database or the S3 server is killed by SIGKILL and started
again. Then the web, the archive and the server's log are compared with the truth of the world.
"""

import argparse
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
from tests.cluster.running_fetchers import (
    Fetchers,
    check_bytes,
    check_whole,
    count_fetched_twice,
    count_pages,
    start_task,
)
from tests.crawl.harness import check_polite, serve_lab
from tests.object_server import ObjectServer
from tests.postgres_server import PostgresServer

from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

FETCHERS = 4
PAGES_OF_HOST = 250
DELAY_S = 0.05
NOISE_S = 0.03
MOST_IN_FLIGHT = 264
"""Pages of a batch, and visits under way: what one fetcher may have fetched and not written."""
KILLED_WITHIN = 0.7
"""The share of the pages of a world until which all kills come: links lead to about four fifths of them."""
HANGS_S = 300.0
_PROGRESS_S = 10.0


class Choices(msgspec.Struct, frozen=True):
    """How often each part is killed, and in how large a crawl."""

    fetchers: int
    database: int
    archive: int
    pages: int
    seed: int

    def plan_kills(self, chance: random.Random) -> list[tuple[float, str]]:
        """Return the parts to kill, each with the number of pages at which it is killed, ascending."""
        victims = self.fetchers * ["fetcher"] + self.database * ["database"] + self.archive * ["archive"]
        chance.shuffle(victims)
        return sorted((chance.uniform(0, KILLED_WITHIN * self.pages), victim) for victim in victims)


class Crawl:
    """A crawl under way, with all that can be killed."""

    def __init__(self, folder: Path, server: PostgresServer, objects: ObjectServer | None) -> None:
        self._server = server
        self._objects = objects
        archive = f"s3://web-bytes/{os.urandom(6).hex()}" if objects else ""
        self.fetchers = Fetchers(server.make_address(server.make_database()), folder, archive)
        self.store = PostgresStore(self.fetchers.web, create=True)
        self.killed = Counter[str]()
        self.killed_s: list[float] = []
        """When fetchers were killed."""
        self.longest_gap_s = 0.0
        """The longest time from a start to the next pages."""

    def kill(self, victim: str, chance: random.Random) -> None:
        """Kill a part and start it again."""
        if victim == "fetcher":
            self.fetchers.kill(chance.choice(self.fetchers.processes))
            self.killed_s.append(time.monotonic())
            self.fetchers.start()
        elif victim == "database":
            self._server.stop(chance.choice((signal.SIGKILL, signal.SIGQUIT)))
            time.sleep(chance.uniform(0, 3))
            self._server.start()
        elif self._objects is not None:
            self._objects.kill()
            time.sleep(chance.uniform(0, 3))
            self._objects.start_gateway()
        self.killed[victim] += 1

    def wait_for_pages(self) -> bool:
        """Wait until there are more pages; return whether the crawl goes on."""
        before, began_s = count_pages(self.store), time.monotonic()
        while count_pages(self.store) == before:
            if not self.is_running():
                return False
            waited_s = time.monotonic() - began_s
            if waited_s > HANGS_S:
                raise AssertionError(f"no page for {waited_s:.0f} s")
            time.sleep(0.1)
        self.longest_gap_s = max(self.longest_gap_s, time.monotonic() - began_s)
        return True

    def wait_for_many(self, pages: float) -> bool:
        """Wait until there are so many pages; return whether the crawl goes on."""
        while count_pages(self.store) < pages:
            if not self.wait_for_pages():
                return False
        return self.is_running()

    def is_running(self) -> bool:
        """Say whether the task runs."""
        return any(note.state == "running" for note in self.store.tasks())

    def report(self) -> None:
        """Print how far the crawl is."""
        killed = ", ".join(f"{number} {victim}" for victim, number in self.killed.items()) or "nothing"
        gap = f"longest wait for pages {self.longest_gap_s:.1f} s"
        print(f"{count_pages(self.store):,} pages, killed: {killed}; {gap}", flush=True)


def run(choices: Choices) -> None:
    """Crawl with kills, and check the result."""
    chance = random.Random(choices.seed)
    world = World(seed=choices.seed, hosts=max(12, choices.pages // PAGES_OF_HOST), pages=choices.pages)
    with _start_crawl(bool(choices.archive)) as crawl, serve_lab(world) as lab:
        task = start_task(crawl.store, lab, delay_s=DELAY_S)
        for _ in range(FETCHERS):
            crawl.fetchers.start()
        crawl.wait_for_pages()
        crawl.longest_gap_s = 0.0  # from here on: starting everything does not count
        reported_s = time.monotonic()
        for pages, victim in choices.plan_kills(chance):
            # The crawl goes on after each kill before the next one comes.
            if not (crawl.wait_for_pages() and crawl.wait_for_many(pages)):
                raise AssertionError(f"the crawl ended after {crawl.killed.total()} kills: take more pages")
            crawl.kill(victim, chance)
            if time.monotonic() - reported_s > _PROGRESS_S:
                reported_s = time.monotonic()
                crawl.report()
        while crawl.wait_for_pages():
            if time.monotonic() - reported_s > _PROGRESS_S:
                reported_s = time.monotonic()
                crawl.report()
        crawl.report()
        crawl.fetchers.stop()
        check_whole(crawl.store, lab, task)
        check_bytes(crawl.store, crawl.fetchers)
        twice = count_fetched_twice(lab)
        gaps = check_polite(lab.log, DELAY_S, noise_s=NOISE_S, killed_s=crawl.killed_s)
        assert twice <= crawl.killed.total() * MOST_IN_FLIGHT, f"{twice} pages were fetched again"
        print(f"nothing lost, nothing kept twice; {twice:,} pages fetched again; {gaps:,} pauses kept")


@contextmanager
def _start_crawl(with_objects: bool) -> Iterator[Crawl]:
    """Start the servers; end all processes and remove all files afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="gossamer-kills-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        data = folder / "database"
        data.mkdir()
        folder.chmod(0o755)
        # A crash of the server must not lose what it acknowledged: with fsync, and whole pages in its log.
        server = PostgresServer(data, {"fsync": "on", "full_page_writes": "on"})
        stack.callback(server.stop, signal.SIGQUIT)
        objects = stack.enter_context(ObjectServer(folder / "objects")) if with_objects else None
        if objects is not None:
            os.environ.update(objects.environment)
            objects.make_bucket("web-bytes")
        crawl = Crawl(folder, server, objects)
        stack.callback(crawl.fetchers.kill_all)
        yield crawl


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0] if __doc__ else "")
    parser.add_argument("--fetchers", type=int, default=0, help="how often a fetcher is killed")
    parser.add_argument("--database", type=int, default=0, help="how often the database is killed")
    parser.add_argument("--archive", type=int, default=0, help="how often the S3 server is killed")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=18)
    run(Choices(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
