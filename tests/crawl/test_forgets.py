"""Pages are forgotten in every file of a web, whatever kills the program; `python -m tests.crawl.forgets` forgets more often."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.crawl.forgets import Truth, forget_at_random, make_web, read_everything, run
from tests.crawl.harness import HTML, LOOPBACK, Toy
from tests.crawl.marked_world import MarkedWorld
from tests.rendering.harness import need_browser

from gossamer.cli.main import run_verb
from gossamer.forget import size_budget
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.lock import Lock
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.page_pictures import read_picture
from gossamer.web import Web

USUAL = ["--scope", "any", "--delay", "0", "--allow-private", LOOPBACK[0], "--no-traps"]


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    world = MarkedWorld(60)
    with serving(world) as running:
        world.port = running.port
        yield running


@pytest.fixture(scope="module")
def crawled(lab: LabServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawled") / "web"
    make_web(get_world(lab), lab, folder)
    return folder


@pytest.fixture
def web(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "web"))


def get_world(lab: LabServer) -> MarkedWorld:
    assert isinstance(lab.world, MarkedWorld)
    return lab.world


def digest_web(folder: Path) -> object:
    """Return what a web holds: all files but that of the state, whose late index grows with look-ups, and all its rows."""
    files = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(("state.sqlite", "lock"))
    }
    with Web(folder, create=False, read_only=True) as opened:
        store = opened.store
        rows = (store.pages(), store.links(), store.all_visits(), store.known_urls(), store.tasks())
        notes = [store.notes(room) for room in store.rooms()]
        return files, [list(table) for table in rows], notes


@pytest.mark.slow
def test_forgettings_that_are_killed_leave_nothing(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = forget_at_random(120, 3, tmp_path / "web", seed, rounds=2)
    assert counts["forgotten"]
    assert counts["forbidden words"]


def test_a_left_byte_is_found(web: Path, lab: LabServer) -> None:
    world = get_world(lab)
    truth = Truth(world, web)
    run("forget", world.url(3), "--yes", "--web", str(web))
    truth.add([world.url(3)])
    assert truth.check()["forgotten"] == 1
    (web / "left").write_text(f"here is {world.title_word(3)}")
    with pytest.raises(AssertionError, match="left"):
        truth.check()


def test_a_copy_keeps_its_bytes_when_its_original_is_forgotten(web: Path, lab: LabServer) -> None:
    world = get_world(lab)
    pair = [world.url(7), world.url(7, "copy")]
    before = {url: read_payload(web, url) for url in pair}
    for gone, kept in (pair, pair[::-1]):
        folder = Path(shutil.copytree(web, web.with_name(f"without-{gone.split('/')[3]}")))
        run("forget", gone, "--yes", "--web", str(folder))
        assert read_payload(folder, kept) == before[kept]
        assert read_payload(folder, gone) is None
        assert json.loads(run("verify", "--web", str(folder), "--json").splitlines()[-1])["sound"]
        run("forget", kept, "--yes", "--web", str(folder))
        run(
            "forget",
            "--check",
            gone,
            "--also",
            world.title_word(7),
            "--web",
            str(folder),
            code=quoted(world, 7),
        )


def quoted(world: MarkedWorld, page: int) -> int:
    """Return the exit code of `--check`: 1 if a kept page shows the title of a page."""
    return int(any(world.title_word(page) in world.quotes(at) for at in range(world.pages) if at != page))


def read_payload(folder: Path, url: str) -> bytes | None:
    with Web(folder, create=False, read_only=True) as opened:
        page = next((one for one in opened.store.pages() if one.url == url), None)
        if page is None:
            return None
        found = open_reader(folder / "archive").read(WarcPosition(page.warc, page.warc_offset))
        return found.payload if found is not None else None


def test_a_forgotten_page_is_not_collected_again_until_it_is_allowed(web: Path, lab: LabServer) -> None:
    world = get_world(lab)
    url = world.url(8)
    run("forget", url, "--yes", "--reason", "a letter", "--web", str(web))
    run("crawl", lab.url("127.0.0.1"), "--web", str(web), *USUAL)
    assert read_payload(web, url) is None
    assert "forgotten" in run("explain", url, "--web", str(web))
    run("crawl", url, "--web", str(web), *USUAL, code=2)
    run("submit", url, "--web", str(web), code=2)
    assert json.loads(run("verify", "--web", str(web), "--json").splitlines()[-1])["sound"]
    log = [json.loads(line) for line in run("forget", "--list", "--web", str(web), "--json").splitlines()]
    assert [(one["reason"], one["pages"], url in str(one)) for one in log] == [("a letter", 1, False)]
    run("forget", "--undo", url, "--web", str(web))
    run("crawl", lab.url("127.0.0.1"), "--web", str(web), *USUAL)
    assert read_payload(web, url) is not None
    assert json.loads(run("verify", "--web", str(web), "--json").splitlines()[-1])["sound"]


def test_an_import_leaves_out_what_was_forgotten(web: Path, crawled: Path, lab: LabServer) -> None:
    url = get_world(lab).url(9)
    run("forget", url, "--yes", "--web", str(web))
    run("import", str(crawled / "archive"), "--web", str(web))
    assert read_payload(web, url) is None
    run("forget", "--check", url, "--web", str(web))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([".*"], "this is everything"),
        (["http://127.0.0.1/none.html"], "is not in this web"),
        (["nowhere.example"], "no page and no URL of the host"),
        (["/nothing-like-it/"], "no URL of this web matches"),
        (["("], "is not a regular expression"),
        (["--older-than", "soon"], "is not an age"),
        (["--keep-bytes", "little"], "is not a size"),
        (["--keep-bytes", "1"], "nothing would be left"),
        ([], "give one thing to forget"),
        (["a.example", "--older-than", "2y"], "give one thing to forget"),
        (["--undo", "http://127.0.0.1/none.html"], "was not forgotten"),
        (["--undo"], "need the URL"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_lost(
    arguments: list[str], sentence: str, web: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = digest_web(web)
    assert run_verb(["forget", *arguments, "--web", str(web)]) == 2
    assert sentence in capfd.readouterr().err
    assert digest_web(web) == before


def test_a_web_that_is_in_use_is_left_alone(
    web: Path, lab: LabServer, capfd: pytest.CaptureFixture[str]
) -> None:
    before = digest_web(web)
    with Lock(web):
        assert run_verb(["forget", get_world(lab).url(3), "--yes", "--web", str(web)]) == 2
    assert "is in use by process" in capfd.readouterr().err
    assert digest_web(web) == before


def test_a_size_budget_drops_old_versions_first_and_explains_it(web: Path, lab: LabServer) -> None:
    world = get_world(lab)
    found = json.loads(run("forget", "--keep-bytes", "1GB", "--dry-run", "--web", str(web), "--json"))
    used_bytes = found["bytes"]
    lines = run("forget", "--keep-bytes", str(used_bytes - 1), "--dry-run", "--web", str(web), "--json")
    assert json.loads(lines.splitlines()[0])["why"] == "an old version of a page"
    before = {url: read_payload(web, url) for url in (world.url(4), world.url(7))}
    run("forget", "--keep-bytes", str(used_bytes - 50_000), "--yes", "--web", str(web), code=0)
    after = json.loads(run("forget", "--keep-bytes", "1GB", "--dry-run", "--web", str(web), "--json"))
    assert after["bytes"] <= used_bytes - 50_000
    assert json.loads(run("verify", "--web", str(web), "--json").splitlines()[-1])["sound"]
    dropped = [url for url in map(world.url, range(world.pages)) if read_payload(web, url) is None]
    assert all(read_payload(web, url) in (None, payload) for url, payload in before.items())
    for url in dropped[:1]:
        assert "dropped to save room" in run("explain", url, "--web", str(web))
        run("crawl", url, "--web", str(web), *USUAL, "--pages", "1")
        assert read_payload(web, url) is not None


def test_a_size_budget_leaves_half_of_the_pages_that_it_has_said(
    web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count_pages() -> int:
        return len(run("sql", "select url from pages", "--json", "--web", str(web)).splitlines())

    # As in a small web, in which most bytes belong to no page: what a drop frees is less than it seems.
    monkeypatch.setattr(size_budget, "_BESIDE_BYTES", 40_000)
    used_bytes = json.loads(run("forget", "--keep-bytes", "1GB", "--dry-run", "--web", str(web), "--json"))[
        "bytes"
    ]
    wanted = str(used_bytes - 400_000)
    shown = run("forget", "--keep-bytes", wanted, "--dry-run", "--web", str(web), "--json").splitlines()[:-1]
    pages = count_pages()
    said = run("forget", "--keep-bytes", wanted, "--yes", "--web", str(web), code=1)
    assert "still too much: run the command again" in said
    dropped = sum(json.loads(one)["url"] != "" for one in shown)
    assert count_pages() >= (pages - dropped) / 2


_SHELL = """<!doctype html><title>{title}</title><body><p id=text>Loading</p><a href=/words/2>the second</a><script>
fetch('/data{path}').then(r => r.text()).then(t => {{ document.getElementById('text').textContent = t }})</script>"""
_LONGER = "/words/2?" + "&".join(f"name{at}={at * 7919 % 10007}" for at in range(12))


class ScriptedWords:
    """Pages that show words which a script has loaded: two look the same and have other titles, the others do not."""

    def __init__(self) -> None:
        self.data = {"/words/1": "alike", "/words/3": "word-of-three", _LONGER: "alike"}
        titles = {"/words/1": "title-of-one", "/words/3": "title-of-three", _LONGER: "title-of-two"}
        links = "".join(f"<a href='{path}'>x</a>" for path in titles)
        pages: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
            "/": LabAnswer(200, HTML, f"<title>start</title>{links}".encode())
        }
        for path, title in titles.items():
            pages[path] = LabAnswer(200, HTML, _SHELL.format(title=title, path=path).encode())
            text = f"{self.data[path]} "
            pages[f"/data{path}"] = LabAnswer(200, (("Content-Type", "text/plain"),), text.encode())
        self.toy = Toy({"127.0.0.1": pages})


def find_words(folder: Path, *words: str) -> set[str]:
    """Return which words stand in any byte of a web, inside compressed records too."""
    wanted = [word.encode() for word in words]
    return {word.decode() for _, _, data in read_everything(folder) for word in wanted if word in data}


@pytest.mark.slow
def test_what_a_browser_loaded_and_its_pictures_go_with_the_page(tmp_path: Path) -> None:
    need_browser()
    web, words = tmp_path / "web", ScriptedWords()
    with serving(words.toy) as lab:
        start = lab.url("127.0.0.1")
        run("crawl", start, "--web", str(web), *USUAL, "--render", "always", "--screenshots")
    one, two, three = (start.rstrip("/") + path for path in ("/words/1", _LONGER, "/words/3"))
    every = ("title-of-one", "title-of-two", "title-of-three", "word-of-three")
    assert find_words(web, *every) == set(every)
    pictures = {url: read_pictures(web, url) for url in (one, two, three)}
    assert pictures[one] == pictures[two]
    assert pictures[three] != pictures[one]
    assert all(all(found) for found in pictures.values())
    documents = {url: read_payload(web, url) for url in (one, two, three)}

    run("forget", three, "--yes", "--web", str(web))
    gone = ("title-of-three", "word-of-three", "/data/words/3", "urn:view:" + three, "urn:thumbnail:" + three)
    assert find_words(web, *gone, *every) == {"title-of-one", "title-of-two"}
    assert not holds_bytes(web, *pictures[three])
    assert read_pictures(web, one) == pictures[one]

    for first, second in ((one, two), (two, one)):
        copy = Path(shutil.copytree(web, web.with_name(f"without-{first[-1]}")))
        run("forget", first, "--yes", "--web", str(copy))
        assert not find_words(copy, "urn:view:" + first + "\n", "urn:thumbnail:" + first + "\n")
        assert read_pictures(copy, second) == pictures[second]
        assert read_payload(copy, second) == documents[second]
        run("forget", "--check", first, "--web", str(copy))
        assert json.loads(run("verify", "--web", str(copy), "--json").splitlines()[-1])["sound"]
        run("forget", second, "--yes", "--web", str(copy))
        assert not holds_bytes(copy, *pictures[second])
        assert not find_words(copy, *every, "/data/words/", "urn:view:" + first, "urn:view:" + second)
        assert json.loads(run("verify", "--web", str(copy), "--json").splitlines()[-1])["sound"]


def read_pictures(folder: Path, url: str) -> list[bytes]:
    """Return the small and the whole picture of a page; empty bytes for one that is not there."""
    with Web(folder, create=False, read_only=True) as opened:
        page = next(one for one in opened.store.pages() if one.url == url)
        reader = open_reader(folder / "archive")
        return [
            read_picture(opened.store, reader, page.id, "small") or b"",
            read_picture(opened.store, reader, page.id, "whole") or b"",
        ]


def holds_bytes(folder: Path, *wanted: bytes) -> bool:
    """Say whether some bytes are anywhere in a web."""
    return any(one in data for _, _, data in read_everything(folder) for one in wanted)
