"""Forget pages at random with kills among them, and search every byte: python -m tests.crawl.forgets 20000 50

Each `gossamer forget` is the real program in its own process, killed by SIGKILL at a random moment. Afterwards no file of the
web may hold a URL, a title or a word of what was forgotten, inside compressed records too, unless a page that is kept quotes it
in its own text; and all that was not forgotten must be as it was. With `--cost`, the cost of one forgetting is measured at
three sizes instead.
"""

import argparse
import io
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tests.crawl.harness import LOOPBACK, make_command
from tests.crawl.marked_world import WORD, MarkedWorld

from gossamer.cli.main import run_verb
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.net import url as urls
from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.store.archive import http_message
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader
from gossamer.store.forget_journal import JOURNAL
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

_URL = re.compile(rb"http://127\.0\.\d+\.1:\d+/(?:p|copy|old)/\d+\.html")
_PATIENCE_S = 3600.0
_SAMPLE = 40
_LONGEST_LIFE_S = 30.0
"""The longest time from the beginning of a forgetting to its kill."""
_SOON_S = 4.0


def make_web(world: MarkedWorld, lab: LabServer, folder: Path, index: bool = True) -> None:
    """Crawl the world, once more after its pages have changed, and index it."""
    usual = ["--scope", "any", "--delay", "0", "--allow-private", LOOPBACK[0], "--no-traps"]
    start = lab.url("127.0.0.1")
    for version in (0, 1):
        world.version = version
        run("crawl", start, "--web", str(folder), *usual, "--name", f"round-{version}")
    if index:
        run("index", "--web", str(folder))


def run(verb: str, *arguments: str, code: int = 0) -> str:
    """Run a verb in this process; return its standard output."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        found = run_verb([verb, *arguments])
    assert found == code, f"{verb} {arguments}: {found}\n{out.getvalue()}\n{errors.getvalue()}"
    return out.getvalue()


class Truth:
    """What the web held before, and what has been forgotten of it."""

    def __init__(self, world: MarkedWorld, folder: Path) -> None:
        self.world = world
        self.folder = folder
        with Web(folder, create=False) as web:
            store = web.store
            reader = open_reader(folder / "archive")
            self.pages = {page.id: page for page in store.pages()}
            self.known = dict(store.known_urls())
            self.links = {page: list(store.links_from(page)) for page in self.pages}
            self.visits = store.visits_of_pages(self.pages)
            self.payloads = {
                page.id: _digest(reader.read(WarcPosition(page.warc, page.warc_offset)))
                for page in self.pages.values()
            }
            self.graph_links = store.counts()["links"]
        self.gone: set[int] = set()
        self.takedowns = 0

    def add(self, wanted: Iterable[str]) -> None:
        """Note URLs as forgotten, with the addresses that redirect to them."""
        for url in wanted:
            self.gone.add(urls.page_id(url))
            if (number := read_number(url)) is not None and "/p/" in url and self.world.has_redirect(number):
                self.gone.add(urls.page_id(self.world.url(number, "old")))

    def forbidden(self) -> set[bytes]:
        """Return the words that must not be found anywhere: those of forgotten pages that no kept page shows."""
        kept, gone = set[str](), set[str]()
        for page_id, page in self.pages.items():
            number = read_number(page.url)
            if number is not None:
                words = self.world.words(number)
                if page_id in self.gone:
                    gone |= words
                else:
                    kept |= words | self.world.quotes(number)
        return {word.encode() for word in gone - kept}

    def check(self) -> Counter[str]:
        """Check the whole web against the truth; return what was looked at."""
        counts: Counter[str] = Counter()
        self._check_bytes(counts)
        self._check_rest(counts)
        self._check_search(counts)
        counts["forgotten"] = len(self.gone)
        found = run("verify", "--web", str(self.folder), "--json").splitlines()
        assert json.loads(found[-1])["sound"], found
        return counts

    def _check_bytes(self, counts: Counter[str]) -> None:
        forbidden = self.forbidden()
        gone_urls = {self.known[one].encode() for one in self.gone if one in self.known}
        assert forbidden
        for name, where, data in read_everything(self.folder):
            counts["bytes"] += len(data)
            words = set(WORD.findall(data)) & forbidden
            assert not words, f"{name} {where}: {sorted(words)[:3]} of {len(words)}"
            if where != "payload" and not name.endswith(".warc.gz raw"):
                found = set(_URL.findall(data)) & gone_urls
                assert not found, f"{name} {where}: {sorted(found)[:3]} of {len(found)}"
        counts["forbidden words"] = len(forbidden)

    def _check_rest(self, counts: Counter[str]) -> None:
        """Check that all that was not forgotten is as it was."""
        reader = open_reader(self.folder / "archive")
        with Web(self.folder, create=False, read_only=True) as web:
            store = web.store
            pages = {page.id: page for page in store.pages()}
            assert pages == {one: page for one, page in self.pages.items() if one not in self.gone}
            known = dict(store.known_urls())
            assert known == {one: url for one, url in self.known.items() if one not in self.gone}
            links = 0
            for page_id, page in pages.items():
                expected = [link for link in self.links[page_id] if link.target not in self.gone]
                assert list(store.links_from(page_id)) == expected, page.url
                links += len(expected)
                assert (
                    _digest(reader.read(WarcPosition(page.warc, page.warc_offset))) == self.payloads[page_id]
                )
            visits = store.visits_of_pages(pages)
            assert visits == {one: self.visits[one] for one in visits}
            for one in self.gone:
                assert not store.visits(one)
                assert store.page(one) is None
                assert not store.links_to(one)
            counted = store.counts()
            assert counted["pages"] == len(pages)
            assert counted["known"] == len(known)
            counts.update(pages=len(pages), links=links)

    def _check_search(self, counts: Counter[str]) -> None:
        if not (self.folder / "index").exists():
            return
        draw = random.Random(len(self.gone))
        with Web(self.folder, create=False, read_only=True) as web:
            assert web.pages_indexed() == sum(page.kind == "html" for page in web.store.pages())
            kept = [page for one, page in self.pages.items() if one not in self.gone and "/p/" in page.url]
            for page in draw.sample(kept, min(_SAMPLE, len(kept))):
                number = read_number(page.url)
                assert number is not None
                assert page.id in web.pages_found(self.world.title_word(number)), page.url
            forbidden = sorted(self.forbidden())
            for word in draw.sample(forbidden, min(_SAMPLE, len(forbidden))):
                assert not web.pages_found(word.decode()), word
            counts["searches"] += 2 * _SAMPLE
        out = self.folder.with_name("export")
        run("export", "csv", str(out), "--web", str(self.folder))
        exported = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
        gone_urls = {self.known[one].encode() for one in self.gone if one in self.known}
        assert not set(_URL.findall(exported)) & gone_urls
        shutil.rmtree(out)


def read_everything(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield the bytes of all files, raw, and what is packed in WARC files and in the index."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        raw = ".warc.gz raw" if path.name.endswith(".warc.gz") else ""
        yield f"{path.name}{raw}", "bytes", path.read_bytes()
        if raw:
            for record in WarcReader(path):
                head = "\n".join(record.headers.values()).encode()
                http, payload = http_message.split_message(record.block)
                if record.type in ("resource", "conversion"):
                    http, payload = b"", record.block
                elif record.type != "response":
                    http, payload = record.block, b""
                assert record.type == "gap" or target_url(record) or record.type == "warcinfo"
                yield path.name, "record", head + b"\n" + http
                yield path.name, "payload", payload
    if (folder / "index" / "meta.json").exists():
        index = Index(folder / "index")
        hits = index.searcher.search(
            tantivy.Query.all_query(), limit=max(1, index.own_pages), count=False
        ).hits
        for _, place in hits:
            yield "index", "entry", (index.searcher.plain.doc(place).get_first("shown") or "").encode()
        meta = json.loads((folder / "index" / "meta.json").read_bytes())
        assert not any(one.get("deletes") for one in meta["segments"]), "deleted entries keep their bytes"


def read_number(url: str) -> int | None:
    """Return the number of a page by its URL."""
    found = re.search(r"/(?:p|copy|old)/(\d+)\.html", url)
    return int(found[1]) if found else None


def _digest(exchange: Any) -> str:
    assert exchange is not None
    return f"{exchange.status} {hash(exchange.payload)}"


def choose_forget(truth: Truth, draw: random.Random) -> tuple[list[str], list[str]]:
    """Choose what to forget next; return the arguments, and the URLs that are then to be gone."""
    left = [url for one, url in truth.known.items() if one not in truth.gone and read_number(url) is not None]
    kind = draw.choice(["url", "url", "pattern", "host"])
    url = draw.choice(left)
    if kind == "url":
        return [url], [url]
    if kind == "host":
        host = urls.host(url)
        hosts = {urls.host(one) for one in left}
        if len(hosts) > 2 and len([one for one in left if urls.host(one) == host]) < len(left) / 4:
            return [host], [one for one in truth.known.values() if urls.host(one) == host]
    digits = str(read_number(url))[-2:]
    pattern = rf"/p/\d*{digits}\.html$"
    return [pattern], [one for one in left if re.search(pattern, one)]


def forget_at_random(
    pages: int, kills: int, folder: Path, seed: int, rounds: int = 0, index: bool = True
) -> Counter[str]:
    """Forget at random with kills among them; check everything in the end."""
    draw, counts = random.Random(seed), Counter[str]()
    world = MarkedWorld(pages)
    with serving(world) as lab:
        world.port = lab.port
        make_web(world, lab, folder, index)
    truth = Truth(world, folder)
    rounds = rounds or max(3, kills // 6)
    longest_s = 1.0
    for turn in range(rounds):
        arguments, gone = choose_forget(truth, draw)
        truth.add(gone)
        command = make_command("forget", *arguments, "--yes", "--web", str(folder))
        share = (kills - counts["kills"]) // (rounds - turn)
        for _ in range(share):
            # Every other kill comes soon, when archive and state are written: the index takes longest.
            most_s = longest_s if draw.random() < 0.5 else min(longest_s, _SOON_S)
            if not kill_once(command, folder, draw.uniform(0, most_s), counts):
                break
        longest_s = finish(command, folder, longest_s)
        counts["forgets"] += 1
    counts.update(truth.check())
    return counts


def kill_once(command: list[str], folder: Path, delay_s: float, counts: Counter[str]) -> bool:
    """Start a command and kill it this long after its journal is there; return whether there is something left to do."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (folder / JOURNAL).exists() and process.poll() is None:
        time.sleep(0.002)
    try:
        process.wait(delay_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        counts["kills"] += 1
    left = (folder / JOURNAL).exists()
    counts["unfinished by kills"] += left
    return left


def finish(command: list[str], folder: Path, longest_s: float) -> float:
    """Let a command end; return how long a journal is there at most."""
    began_s = time.monotonic()
    # Any command that may write finishes what was begun; then there is nothing left to forget.
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_PATIENCE_S, check=False
    )
    assert not (folder / JOURNAL).exists()
    return max(longest_s, min(_LONGEST_LIFE_S, time.monotonic() - began_s))


def measure_cost(sizes: Iterable[int], scratch: Path) -> None:
    """Print what forgetting one page costs in webs of several sizes, and one in a hundred of their pages."""
    print("| pages | what | CPU s | state MB | archive MB | with index: CPU s |")
    print("|---|---|---|---|---|---|")
    for pages in sizes:
        world = MarkedWorld(pages)
        with serving(world) as lab:
            world.port = lab.port
            make_web(world, lab, scratch / f"web-{pages}", index=False)
        for what in ([world.url(5)], [r"/p/\d*17\.html$"]):
            figures = []
            for index in (False, True):
                copy = scratch / "copy"
                shutil.copytree(scratch / f"web-{pages}", copy)
                if index:
                    run("index", "--web", str(copy))
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(make_command("forget", *what, "--yes", "--web", str(copy)), check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                figures.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
                shutil.rmtree(copy)
            state = (scratch / f"web-{pages}" / "state.sqlite").stat().st_size / 1e6
            archive = (
                sum(one.stat().st_size for one in (scratch / f"web-{pages}" / "archive").glob("*.gz")) / 1e6
            )
            print(
                f"| {pages:,} | {'a URL' if 'http' in what[0] else '1 %'} | {figures[0]:.1f} | {state:.1f} | {archive:.1f} "
                f"| {figures[1]:.1f} |",
                flush=True,
            )


def main() -> None:
    """Forget as often as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="?", default=20_000)
    parser.add_argument("kills", type=int, nargs="?", default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--no-index", action="store_true")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        if options.cost:
            measure_cost((options.pages // 16, options.pages // 4, options.pages), folder)
            return
        print(f"seed {options.seed}")
        counts = forget_at_random(
            options.pages, options.kills, folder / "web", options.seed, options.rounds, not options.no_index
        )
        print(dict(counts))


if __name__ == "__main__":
    main()
