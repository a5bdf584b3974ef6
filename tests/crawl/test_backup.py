"""Back-ups of a web in a directory: taken while it is crawled, killed, restored after the web was destroyed."""

import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import (
    LOOPBACK,
    check_archive,
    check_state,
    get_world,
    make_command,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.cli.main import run_verb
from gossamer.errors import BadInput, StoreFailed
from gossamer.lab.world.world import World
from gossamer.store.backup import directory_source
from gossamer.store.backup.block_bundles import BlockBundles
from gossamer.store.backup.byte_rate import ByteRate
from gossamer.store.backup.copy_state import copy_state
from gossamer.store.backup.restore_web import check_backups, list_backups, restore_web
from gossamer.store.backup.take_backup import BackupOptions, take_backup
from gossamer.store.batch import Batch
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE, open_store
from gossamer.web import Web

PLAIN = BackupOptions()
_PATIENCE_S = 300.0
"""A guard against hanging on a busy machine."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small web with a model, whose crawl has ended."""
    web = tmp_path_factory.mktemp("crawled") / "a.web"
    with serve_lab(World(seed=3, pages=60, hosts=3)) as running:
        run(web, make_quick_task(running))
    (web / "models").mkdir(exist_ok=True)
    (web / "models" / "topic-birds.bin").write_bytes(b"birds")
    (web / "index").mkdir(exist_ok=True)
    (web / "index" / "meta.json").write_bytes(b"{}")
    return web


@pytest.fixture
def web(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "a.web"))


def add_page(web: Path, number: int) -> None:
    """Commit something, as a crawl would."""
    store = open_store(web)
    store.commit(Batch(notes={("test", str(number)): random.Random(number).randbytes(5_000)}))
    store.close()


def grow_archive(web: Path, size: int) -> bytes:
    """Append bytes to the newest WARC file, and commit its new length; return them."""
    path = max((web / "archive").glob("*.warc.gz"))
    added = random.Random(size).randbytes(size)
    with path.open("ab") as file:
        file.write(added)
    store = open_store(web)
    store.commit(Batch(archive_ends={path.name: path.stat().st_size}))
    store.close()
    return added


# A crawl, its back-ups, and the loss of its web


@pytest.mark.slow
def test_back_ups_of_a_running_crawl_are_restored_and_go_on(tmp_path: Path) -> None:
    web, kept = tmp_path / "a.web", tmp_path / "kept"
    with serve_lab(World(seed=11, pages=240, hosts=8)) as running:
        options = ["--delay", "0.01", "--scope", "any", "--allow-private", LOOPBACK[0], "--json"]
        command = make_command("crawl", *running.seeds, *options, "--web", str(web))
        with subprocess.Popen(command, stdout=subprocess.PIPE) as crawl:
            assert crawl.stdout is not None
            crawl.stdout.readline()
            taken = [take_backup(web, kept, PLAIN).snapshot for _ in range(3)]
            while taken[-1].counts["pages"] < 40:  # one in the middle of the crawl
                taken.append(take_backup(web, kept, PLAIN).snapshot)
            crawl.kill()
            crawl.communicate(timeout=_PATIENCE_S)
        shutil.rmtree(web)
        for number, snapshot in enumerate(taken[-2:]):
            copy = tmp_path / f"copy{number}"
            restore_web(kept, copy, at=snapshot.at)
            check_state(copy)
            check_archive(copy)
            with Web(copy) as opened:
                assert opened.store.counts() == snapshot.counts
            assert run_verb(["verify", "--web", str(copy)]) == 0
        restore_web(kept, web)
        ended = subprocess.run(
            make_command("resume", "--web", str(web), "--json"),
            check=True,
            timeout=_PATIENCE_S,
            capture_output=True,
        )
        assert ended.returncode == 0
        assert set(read_pages(web)) == set(get_world(running).reachable())
    check_state(web)
    assert run_verb(["verify", "--web", str(web)]) == 0


@pytest.mark.slow
def test_a_killed_back_up_is_none_and_the_next_one_goes_on(web: Path, tmp_path: Path) -> None:
    kept, chance = tmp_path / "kept", random.Random(5)
    for number in range(40):
        grow_archive(web, 200_000 + number)
    for number in range(4):
        with subprocess.Popen(make_command("backup", str(kept), "--web", str(web), "--json")) as process:
            time.sleep(chance.uniform(0.1, 0.8))
            process.kill()
        if (kept / "gossamer-backup.json").exists():
            assert [one.damaged for one in check_backups(kept)] == [[] for _ in list_backups(kept)], number
    take_backup(web, kept, PLAIN)
    assert not list(kept.glob(".gossamer-*"))
    assert not list((kept / "bundles").glob("*.part"))
    restore_web(kept, tmp_path / "b.web")
    assert_same_files(web, tmp_path / "b.web")


def assert_same_files(one: Path, other: Path) -> None:
    """Check that all files but locks and what can be made anew are the same; states by their rows."""

    def read(web: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(web)): path.read_bytes()
            for path in web.rglob("*")
            if path.is_file()
            and path.name != "lock"
            and not path.name.startswith(STATE)
            and "index" not in path.parts
        }

    assert read(one) == read(other)
    assert dump_state(one) == dump_state(other)


def dump_state(web: Path) -> list[str]:
    import sqlite3

    db = sqlite3.connect(web / STATE)
    try:
        return list(db.iterdump())
    finally:
        db.close()


# Only what is new


@pytest.mark.slow
def test_a_second_back_up_reads_and_stores_only_what_is_new(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    grow_archive(web, 9_000_000)
    first = take_backup(web, kept, PLAIN).snapshot
    assert first.new_bytes > 9_000_000
    same = take_backup(web, kept, PLAIN).snapshot
    assert same.new_bytes < 40_000, "of an unchanged web, only the list of files is new"
    added = grow_archive(web, 700_001)
    grown = take_backup(web, kept, PLAIN).snapshot
    assert 700_001 < grown.new_bytes < 900_000
    restore_web(kept, tmp_path / "b.web")
    assert_same_files(web, tmp_path / "b.web")
    restore_web(kept, tmp_path / "c.web", at=same.at)
    newest = max((tmp_path / "c.web" / "archive").glob("*.warc.gz")).read_bytes()
    assert not newest.endswith(added[-100:])
    assert len(newest) == first.archive_bytes


@pytest.mark.slow
def test_a_file_that_was_written_anew_is_read_anew(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    take_backup(web, kept, PLAIN)
    path = max((web / "archive").glob("*.warc.gz"))
    other = path.with_name("other")
    other.write_bytes(path.read_bytes()[::-1])
    os.utime(other, ns=(path.stat().st_mtime_ns,) * 2)
    other.replace(path)  # with the same length and time, as a program that removes pages might
    take_backup(web, kept, PLAIN)
    restore_web(kept, tmp_path / "b.web")
    assert (tmp_path / "b.web" / "archive" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_the_newest_back_ups_are_kept_and_the_room_of_others_is_freed(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    big = web / "models" / "big.bin"
    for number in range(4):
        big.write_bytes(random.Random(number).randbytes(3_000_000))
        add_page(web, number)
        result = take_backup(web, kept, BackupOptions(keep=2))
    found = list_backups(kept)
    assert len(found) == 2
    assert len(result.dropped) == 1
    assert result.freed_bytes > 2_900_000
    assert sum(path.stat().st_size for path in kept.rglob("*") if path.is_file()) < 9_000_000
    assert [one.damaged for one in check_backups(kept)] == [[], []]
    for number, snapshot in enumerate(found):
        restore_web(kept, tmp_path / f"copy{number}", at=snapshot.at)
        expected = random.Random(number + 2).randbytes(3_000_000)
        assert (tmp_path / f"copy{number}" / "models" / "big.bin").read_bytes() == expected


@pytest.mark.slow
def test_the_index_is_copied_when_it_is_wanted(web: Path, tmp_path: Path) -> None:
    take_backup(web, tmp_path / "kept", BackupOptions(with_index=True))
    restore_web(tmp_path / "kept", tmp_path / "b.web")
    assert (tmp_path / "b.web" / "index" / "meta.json").exists()
    take_backup(web, tmp_path / "kept", PLAIN)
    restore_web(tmp_path / "kept", tmp_path / "c.web")
    assert not (tmp_path / "c.web" / "index").exists()
    assert (tmp_path / "c.web" / "models" / "topic-birds.bin").read_bytes() == b"birds"


# What a crawl, or another program, does meanwhile


@pytest.mark.slow
def test_what_is_committed_during_a_back_up_is_not_half_in_it(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, whole = dump_state(web), copy_state
    sizes = {path.name: path.stat().st_size for path in (web / "archive").glob("*.warc.gz")}

    def copy_meanwhile(*given: object) -> object:
        copied = whole(*given)  # type: ignore[arg-type]
        grow_archive(web, 50_000)
        add_page(web, 1)
        return copied

    monkeypatch.setattr(directory_source, "copy_state", copy_meanwhile)
    take_backup(web, tmp_path / "kept", PLAIN)
    restore_web(tmp_path / "kept", tmp_path / "b.web")
    assert dump_state(tmp_path / "b.web") == before
    found = {path.name: path.stat().st_size for path in (tmp_path / "b.web" / "archive").glob("*.warc.gz")}
    assert found == sizes


@pytest.mark.slow
def test_pages_that_are_removed_meanwhile_make_it_begin_again(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries, whole = [0], copy_state

    def copy_meanwhile(*given: object) -> object:
        copied = whole(*given)  # type: ignore[arg-type]
        tries[0] += 1
        if tries[0] <= times:
            path = max((web / "archive").glob("*.warc.gz"))
            other = path.with_name("other")
            other.write_bytes(path.read_bytes())
            other.replace(path)
        return copied

    monkeypatch.setattr(directory_source, "copy_state", copy_meanwhile)
    times = 1
    take_backup(web, tmp_path / "kept", PLAIN)
    assert tries == [2]
    tries, times = [0], 99
    with pytest.raises(StoreFailed, match="pages were removed"):
        take_backup(web, tmp_path / "kept", PLAIN)
    assert len(list_backups(tmp_path / "kept")) == 1


# Damage, bad input and full disks


@pytest.mark.slow
def test_a_damaged_back_up_is_told_and_mended_by_the_next_one(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    take_backup(web, kept, PLAIN)
    [bundle] = (kept / "bundles").iterdir()
    data = bytearray(bundle.read_bytes())
    data[len(data) // 3] ^= 1
    bundle.write_bytes(data)
    [checked] = check_backups(kept)
    assert checked.damaged
    with pytest.raises(StoreFailed, match="is damaged in the back-up"):
        restore_web(kept, tmp_path / "b.web")
    with pytest.raises(BadInput, match="run the same command again"):
        Web(tmp_path / "b.web", create=False)
    assert run_verb(["backup", str(kept), "--check"]) == 1
    take_backup(web, kept, PLAIN)
    assert [one.damaged for one in check_backups(kept)] == [[], []], "the same blocks are there again"
    restore_web(kept, tmp_path / "b.web")
    assert_same_files(web, tmp_path / "b.web")


@pytest.mark.slow
def test_a_bundle_that_was_cut_off_is_stored_again(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    take_backup(web, kept, PLAIN)
    [bundle] = (kept / "bundles").iterdir()
    os.truncate(bundle, bundle.stat().st_size - 1)
    assert [one.damaged for one in check_backups(kept)] == [["the list of its files"]]
    take_backup(web, kept, PLAIN)
    assert [bool(one.damaged) for one in check_backups(kept)] == [False, False], (
        "the same blocks are there again"
    )
    restore_web(kept, tmp_path / "b.web")
    assert_same_files(web, tmp_path / "b.web")


@pytest.mark.slow
def test_bad_input_gets_one_sentence_and_harms_nothing(web: Path, tmp_path: Path) -> None:
    kept, file, full = tmp_path / "kept", tmp_path / "file", tmp_path / "full"
    file.write_text("x")
    full.mkdir()
    (full / "letter.txt").write_text("x")
    take_backup(web, kept, PLAIN)
    for folder, source, why in (
        (web / "kept", web, "inside the web"),
        (web, web, "inside the web"),
        (file, web, "is a file"),
        (full, web, "not empty"),
        (tmp_path / "new", tmp_path / "none.web", "there is no web"),
    ):
        with pytest.raises(BadInput, match=why):
            take_backup(source, folder, PLAIN)
    other = tmp_path / "other.web"
    with serve_lab(World(seed=4, pages=5, hosts=1)) as running:
        run(other, make_quick_task(running))
    with pytest.raises(BadInput, match="another web"):
        take_backup(other, kept, PLAIN)
    with Lock(kept), pytest.raises(BadInput, match="another back-up"):
        take_backup(web, kept, PLAIN)
    for source, target, at, why in (
        (full, tmp_path / "b.web", "", "holds no back-up"),
        (tmp_path / "none", tmp_path / "b.web", "", "does not exist"),
        (kept, web, "", "holds a web already"),
        (kept, full, "", "not empty"),
        (kept, tmp_path / "b.web", "yesterday", "is no time"),
        (kept, tmp_path / "b.web", "2001-01-01", "has no back-up of"),
    ):
        with pytest.raises(BadInput, match=why):
            restore_web(source, target, at)
    assert not (tmp_path / "b.web").exists()
    assert not (tmp_path / "new").exists()
    assert (full / "letter.txt").read_text() == "x"
    assert len(list_backups(kept)) == 1


@pytest.mark.slow
def test_a_back_up_of_a_later_format_names_the_version_that_reads_it(web: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    take_backup(web, kept, PLAIN)
    [path] = (kept / "snapshots").iterdir()
    path.write_text(path.read_text().replace('"format": 1', '"format": 2').replace("0.1.0.dev0", "7.5"))
    with pytest.raises(BadInput, match=r"format 2 .* use Gossamer 7\.5"):
        restore_web(kept, tmp_path / "b.web")
    (kept / "gossamer-backup.json").write_text('{"format": 9}')
    with pytest.raises(BadInput, match="update Gossamer"):
        take_backup(web, kept, PLAIN)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
def test_a_full_disk_gets_one_sentence_and_the_next_back_up_goes_on(web: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no right to mount")
    try:
        grow_archive(web, 6_000_000)
        with pytest.raises(StoreFailed, match="the disk is full") as failure:
            take_backup(web, small / "kept", PLAIN)
        assert failure.value.full
        assert list_backups(small / "kept") == []
        subprocess.run(["mount", "-o", "remount,size=40m", str(small)], check=True)
        take_backup(web, small / "kept", PLAIN)
        restore_web(small / "kept", tmp_path / "b.web")
        assert_same_files(web, tmp_path / "b.web")
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.slow
def test_the_verbs_say_what_they_did(
    web: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.nice", lambda _: 0)  # it would hold for all later tests
    kept, copy = str(tmp_path / "kept"), str(tmp_path / "b.web")
    capfd.readouterr()
    for number in range(2):
        add_page(web, number)
        assert run_verb(["backup", kept, "--keep", "1", "--web", str(web), "--json"]) == 0
    told = [msgspec.json.decode(line) for line in capfd.readouterr().out.splitlines()]
    assert told[1]["dropped"] == [told[0]["at"]]
    assert told[1]["counts"]["pages"] == told[0]["counts"]["pages"] > 10
    assert run_verb(["backup", kept, "--list"]) == 0
    listed = capfd.readouterr().out
    assert told[1]["at"] in listed
    assert told[0]["at"] not in listed
    assert run_verb(["restore", kept, copy, "--at", told[1]["at"]]) == 0
    assert f"{told[1]['counts']['pages']} pages" in capfd.readouterr().out
    for wrong in (
        ["backup", str(web / "x"), "--web", str(web)],
        ["restore", kept, copy],
        ["backup", copy, "--list"],
    ):
        assert run_verb(wrong) == 2
        printed = capfd.readouterr()
        assert printed.err.startswith("gossamer: ")
        assert printed.err.count("\n") == 1
        assert not printed.out


def test_bytes_are_read_at_the_rate_that_is_wanted() -> None:
    now_s, slept = [0.0], []

    def sleep(pause_s: float) -> None:
        slept.append(pause_s)
        now_s[0] += pause_s

    rate = ByteRate(1_000, clock=lambda: now_s[0], sleep=sleep)
    for _ in range(10):
        rate.spend(500)
    assert now_s[0] == pytest.approx(5.0)
    ByteRate(0, sleep=sleep).spend(10**9)
    assert len(slept) == 10


def test_a_back_up_rests_beside_a_crawl_for_three_times_as_long_as_it_works() -> None:
    processor_s, crawled = [0.0], [True]
    slept: list[float] = []
    rate = ByteRate(0, sleep=slept.append, is_crawled=lambda: crawled[0], processor=lambda: processor_s[0])
    for _ in range(3):
        processor_s[0] += 0.2
        rate.spend(1)
    assert slept == pytest.approx([0.6] * 3)
    crawled[0] = False
    processor_s[0] += 5.0
    rate.spend(1)
    crawled[0] = True
    rate.spend(1)
    assert sum(slept) == pytest.approx(1.8)


@pytest.fixture
def bundles(tmp_path: Path) -> Iterator[BlockBundles]:
    found = BlockBundles(tmp_path)
    yield found
    found.close()


def test_blocks_are_stored_once_and_found_again(bundles: BlockBundles, tmp_path: Path) -> None:
    digests = [bundles.add(data) for data in (b"one", b"two", b"one")]
    assert digests[0] == digests[2]
    assert bundles.written_bytes == 6
    assert [bundles.read(digest) for digest in digests] == [b"one", b"two", b"one"], "before they are flushed"
    bundles.flush()
    again = BlockBundles(tmp_path)
    assert [again.read(digest) for digest in digests] == [b"one", b"two", b"one"]
    assert len(again) == 2
    again.close()
