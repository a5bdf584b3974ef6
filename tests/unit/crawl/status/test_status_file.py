"""The status of a shard goes through a small file; whatever else is there is ignored."""

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from gossamer.crawl.status.read_shards import read_shards
from gossamer.crawl.status.status_file import FOLDER, MOST_BYTES, StatusFile, find_place, read_files
from gossamer.crawl.status.status_records import ShardStatus, VisitUnderWay
from gossamer.store.batch import Store
from gossamer.store.lock import Lock

VISIT = VisitUnderWay("http://a.example/", "a.example", 1, "fetch", 5.0)


def make_status(**fields: object) -> ShardStatus:
    usual = ShardStatus("", time.time(), [VISIT], {1: 1}, process=os.getpid(), place=find_place())
    return msgspec.structs.replace(usual, **fields)


def test_the_last_status_is_read_until_it_is_removed(tmp_path: Path) -> None:
    first, second = StatusFile(tmp_path, 0), StatusFile(tmp_path, 10)
    assert read_files(tmp_path) == []
    first.publish(make_status(name="1"))
    last = make_status(name="1", stall="the disk is full", rates={1: (2.0, 3.0)}, turns={"a": (1.0, 2.0)})
    first.publish(last)
    second.publish(make_status(name="11"))
    assert read_files(tmp_path) == [last, make_status(name="11", when_s=read_files(tmp_path)[1].when_s)]
    first.remove()
    assert [one.name for one in read_files(tmp_path)] == ["11"]
    second.remove()
    assert not (tmp_path / FOLDER).exists()
    second.remove()


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file is in the way")
    StatusFile(tmp_path, 0).publish(make_status())
    assert read_files(tmp_path) == []


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"null",
        b'{"name": 1}',
        b'{"name": "", "when_s": 1e999}',
        b'{"name": "\xff", "when_s": 1}',
        b"[" * 100_000,
        b'{"name": "", "when_s": 1, "visits": [{"url": 5}]}',
        b'{"name": "' + b"x" * MOST_BYTES + b'", "when_s": 1}',
    ],
)
def test_what_is_no_status_is_ignored(tmp_path: Path, packed: bytes) -> None:
    StatusFile(tmp_path, 0).publish(make_status(name="good"))
    (tmp_path / FOLDER / "1").write_bytes(packed)
    assert [one.name for one in read_files(tmp_path)] == ["good"]


def test_links_pipes_and_folders_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere"
    secret.write_bytes(msgspec.json.encode(make_status(name="elsewhere")))
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / "1").symlink_to(secret)
    os.mkfifo(folder / "2")
    (folder / "3").mkdir()
    (folder / "other").write_bytes(secret.read_bytes())
    assert read_files(tmp_path) == []
    (folder / ".0.new").symlink_to(secret)  # what a crawl writes must not go through a link
    StatusFile(tmp_path, 0).publish(make_status(name="mine"))
    assert msgspec.json.decode(secret.read_bytes(), type=ShardStatus).name == "elsewhere"


def test_the_status_of_a_process_that_is_gone_is_ignored(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    StatusFile(tmp_path, 0).publish(make_status(process=gone.pid))
    assert read_files(tmp_path) == []
    StatusFile(tmp_path, 0).publish(make_status(process=gone.pid, place="another machine"))
    assert len(read_files(tmp_path)) == 1


def test_only_a_crawl_that_runs_has_shards_and_an_old_status_is_silent(tmp_path: Path) -> None:
    store: Store = None  # type: ignore[assignment]  # it is not asked
    now_s = time.time()
    StatusFile(tmp_path, 0).publish(make_status(name="1", when_s=now_s - 1))
    StatusFile(tmp_path, 1).publish(make_status(name="2", when_s=now_s - 30))
    StatusFile(tmp_path, 2).publish(make_status(name="3", when_s=now_s + 4000))
    assert not read_shards(store, tmp_path, now_s).running
    with Lock(tmp_path):
        seen = read_shards(store, tmp_path, now_s)
    assert seen.running
    assert [one.name for one in seen.fresh] == ["1"]
    assert [one.name for one in seen.silent] == ["2"]
