"""`gossamer crawl --out -`: other programs get every page, whether they are slow, die, or the crawl is killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest
from tests.crawl.harness import serve_lab
from warcio.archiveiterator import ArchiveIterator

from gossamer.cli.main import run_verb
from gossamer.lab.world.world import World
from gossamer.web import open_to_read

pytestmark = pytest.mark.slow
WORLD = World(seed=3, hosts=4, pages=3_000)
PAGES = ("--pages", "250")


@pytest.fixture(scope="module")
def start() -> Iterator[str]:
    with serve_lab(WORLD) as lab:
        yield lab.seeds[0]


def run(*arguments: str, errors: BinaryIO | int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "gossamer.cli.main", *arguments, "--out", "-"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=os.environ)


def crawl(
    start: str, web: Path, *more: str, errors: BinaryIO | int = subprocess.PIPE
) -> "subprocess.Popen[bytes]":
    options = ("--scope", "any", "--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8")
    return run("crawl", start, *options, "--web", str(web), *more, errors=errors)


def list_urls(web: Path) -> list[str]:
    with open_to_read(web) as opened:
        return sorted(page.url for page in opened.store.pages())


def test_every_page_comes_once_with_its_text_and_links(start: str, tmp_path: Path) -> None:
    with crawl(start, tmp_path / "web", "--pages", "60") as running:
        out, said = running.communicate()
    lines = [json.loads(line) for line in out.splitlines()]
    assert running.returncode == 0
    assert sorted(line["url"] for line in lines) == list_urls(tmp_path / "web")
    first = next(line for line in lines if line["url"] == start)
    assert first["text"]
    assert {"url", "text"} == set(first["links"][0])
    assert first["language"]
    assert b"holds 60 pages" in said, "the progress goes to standard error"


def test_records_are_read_by_other_programs(start: str, tmp_path: Path) -> None:
    with crawl(start, tmp_path / "web", "--pages", "30", "--out-format", "warc") as running:
        out, _ = running.communicate()
    records = [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
        for record in ArchiveIterator(BytesIO(out), check_digests="raise")
    ]
    assert [kind for kind, _, _ in records] == ["warcinfo"] + ["response"] * 30
    assert sorted(url for kind, url, _ in records if kind == "response") == list_urls(tmp_path / "web")
    assert all(body for _, _, body in records)


def test_a_slow_reader_slows_the_crawl_and_misses_nothing(start: str, tmp_path: Path) -> None:
    web, said = tmp_path / "web", tmp_path / "said"
    with said.open("wb") as errors, crawl(start, web, "--json", "--pages", "900", errors=errors) as running:
        assert running.stdout is not None
        lines = [running.stdout.readline()]
        until_s = time.monotonic() + 60
        while b"slower than the crawl" not in said.read_bytes() and time.monotonic() < until_s:
            time.sleep(0.1)
        assert b"slower than the crawl" in said.read_bytes()
        held = len(list_urls(web))
        lines += running.stdout.read().splitlines()
    urls = list_urls(web)
    assert held < len(urls), "the crawl waited"
    assert sorted(json.loads(line)["url"] for line in lines) == urls


def test_a_reader_that_dies_ends_the_crawl_and_the_next_one_gets_the_rest(start: str, tmp_path: Path) -> None:
    web = tmp_path / "web"
    with crawl(start, web, "--pages", "1500") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = [json.loads(running.stdout.readline())["url"] for _ in range(10)]
        running.stdout.close()
        said = running.stderr.read()
    assert running.returncode == 1
    assert b"has gone" in said
    with open_to_read(web) as opened:
        assert opened.tasks()[0].state == "stopped"
    with run("resume", "--web", str(web)) as again:
        out, _ = again.communicate()
    rest = [json.loads(line)["url"] for line in out.splitlines()]
    assert again.returncode == 0
    assert sorted({*first, *rest}) == list_urls(web)


def test_after_a_kill_the_stream_goes_on_where_it_was(start: str, tmp_path: Path) -> None:
    web = tmp_path / "web"
    with crawl(start, web, *PAGES) as running:
        assert running.stdout is not None
        first = [running.stdout.readline() for _ in range(150)]
        running.kill()
        first += running.stdout.read().splitlines(keepends=True)
    whole = [json.loads(line)["url"] for line in first if line.endswith(b"\n")]
    with run("resume", "--web", str(web)) as again:
        out, _ = again.communicate()
    rest = [json.loads(line)["url"] for line in out.splitlines()]
    assert sorted({*whole, *rest}) == list_urls(web)
    assert len(rest) < len(list_urls(web)), "what was written before is not written again"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--out", "pages.jsonl"], "--out - > pages.jsonl"),
        (["--out", "-", "--out-format", "csv"], "jsonl or warc"),
        (["--out", "-", "--processes", "2"], "one process"),
    ],
)
def test_bad_input_gets_one_sentence(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["crawl", "http://127.0.0.1:9/", "--web", str(tmp_path / "web"), *given]) == 2
    assert said in capsys.readouterr().err.replace("\n", " ")
    assert not (tmp_path / "web").exists()
