"""The archive keeps what the store committed, and nothing else, after a kill and on a full disk."""

import errno
import multiprocessing
import os
import random
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.few_files import leave_files
from tests.unit.store.archive.sample_exchanges import (
    exchange,
    list_files,
    open_archive,
    read_records,
    write_exchanges,
)

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.archive import Archive

FORK = multiprocessing.get_context("fork")

# After a kill


def test_uncommitted_bytes_are_cut_off_and_the_file_continues(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1), exchange(2))
    committed = archive.flush(sync=True)
    write_exchanges(archive, exchange(3))  # never committed, never closed
    again = open_archive(tmp_path, committed)
    place = write_exchanges(again, exchange(4))[0]
    again.close()
    assert [
        each.headers["warc-target-uri"][-1] for each in read_records(tmp_path) if each.type == "response"
    ] == [
        "1",
        "2",
        "4",
    ]
    assert place.warc == next(iter(committed))


@pytest.mark.parametrize("rotate_bytes", [100, 10_000])
def test_the_archive_is_cut_back_after_a_failed_commit(rotate_bytes: int, tmp_path: Path) -> None:
    archive = open_archive(tmp_path, rotate_bytes=rotate_bytes)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    write_exchanges(archive, exchange(2), exchange(3))
    archive.flush()  # for a commit that then failed
    archive.rewind(committed)
    assert archive.flush() == {}
    write_exchanges(archive, exchange(2), exchange(3))
    committed |= archive.flush()
    archive.close()
    assert committed == {name: (tmp_path / "archive" / name).stat().st_size for name in list_files(tmp_path)}
    found = [
        each.headers["warc-target-uri"][-1] for each in read_records(tmp_path) if each.type == "response"
    ]
    assert found == ["1", "2", "3"]
    lines = [
        line
        for path in (tmp_path / "archive").glob("*.cdxj")
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(lines) == 3


def test_uncommitted_files_of_this_shard_alone_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    mine, other = "gossamer-20260101000000-000-00007.warc.gz", "gossamer-20260101000000-001-00003.warc.gz"
    for name in (mine, mine.replace(".warc.gz", ".cdxj"), other, "my-notes.warc.gz", "readme.txt"):
        (folder / name).write_text("x")
    archive = open_archive(tmp_path, {"other.warc.gz": 5})
    assert sorted(path.name for path in folder.iterdir()) == [other, "my-notes.warc.gz", "readme.txt"]
    write_exchanges(archive, exchange())
    archive.close()
    assert "gossamer-20260921141320-000-00008.warc.gz" in list_files(tmp_path)
    assert (folder / other).read_text() == "x"


def test_a_file_shorter_than_committed_is_kept_and_reported(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange())
    committed = archive.flush()
    archive.close()
    (name,) = committed
    os.truncate(tmp_path / "archive" / name, committed[name] - 7)
    again = open_archive(tmp_path, {**committed, "gossamer-20260101000000-000-00099.warc.gz": 12})
    assert again.lost_bytes == {name: 7, "gossamer-20260101000000-000-00099.warc.gz": 12}
    assert write_exchanges(again, exchange(2))[0].warc != name
    again.close()
    assert (tmp_path / "archive" / name).stat().st_size == committed[name] - 7


def write_until_killed(folder: Path, committed: dict[str, int], begin: int, sender: Connection) -> None:
    archive = open_archive(folder, committed, rotate_bytes=20_000)
    rnd = random.Random(begin)
    for number in range(begin, begin + 100_000):
        write_exchanges(archive, exchange(number, rnd.randbytes(rnd.randrange(4000))))
        sender.send((number, archive.flush()))


def test_a_kill_at_any_moment_leaves_exactly_what_was_committed(tmp_path: Path) -> None:
    rnd = random.Random(5)
    committed: dict[str, int] = {}
    number = 0
    for _ in range(8):
        receiver, sender = FORK.Pipe(duplex=False)
        writer = FORK.Process(target=write_until_killed, args=(tmp_path, dict(committed), number + 1, sender))
        writer.start()
        sender.close()
        number, ends = receiver.recv()
        committed |= ends
        time.sleep(rnd.uniform(0, 0.02))
        assert writer.pid
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        receiver.close()
        # Ends that were sent but not received count as never committed.
        open_archive(tmp_path, committed, rotate_bytes=20_000).close()
        urls = [each.headers["warc-target-uri"] for each in read_records(tmp_path) if each.type == "response"]
        assert len(urls) == len(set(urls))
        assert urls[-1] == exchange(number).url
        for name in list_files(tmp_path):
            index = (tmp_path / "archive" / name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
            assert index == sorted(cdxj_index.index_warc(tmp_path / "archive" / name))


# A full disk


def test_a_full_disk_leaves_whole_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    end = archive.flush()
    real = os.pwrite

    def full_soon(file: int, data: bytes, offset: int) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data[: len(data) // 2], offset)

    monkeypatch.setattr(os, "pwrite", full_soon)
    write_exchanges(archive, exchange(2))
    with pytest.raises(StoreFailed, match="the disk is full") as caught:
        archive.flush()
    assert caught.value.full
    assert (tmp_path / "archive" / list_files(tmp_path)[0]).stat().st_size == end[list_files(tmp_path)[0]]
    monkeypatch.undo()
    write_exchanges(archive, exchange(3))
    now = archive.flush()
    assert (tmp_path / "archive" / list_files(tmp_path)[0]).stat().st_size == now[list_files(tmp_path)[0]]
    archive.close()
    urls = [each.headers["warc-target-uri"] for each in read_records(tmp_path) if each.type == "response"]
    assert urls == [exchange(number).url for number in (1, 2, 3)]


def test_too_many_open_files_pass_like_a_full_disk(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    with leave_files(0), pytest.raises(StoreFailed, match="Too many open files") as caught:
        write_exchanges(archive, exchange(1))
    assert caught.value.full
    write_exchanges(archive, exchange(1))
    archive.close()
    urls = [each.headers["warc-target-uri"] for each in read_records(tmp_path) if each.type == "response"]
    assert urls == [exchange(1).url]


def test_the_buffer_of_a_batch_is_bounded(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    for number in range(30):
        write_exchanges(archive, exchange(number, random.Random(number).randbytes(100_000)))
    assert (tmp_path / "archive" / list_files(tmp_path)[0]).stat().st_size > 1_500_000


def test_a_failure_at_the_first_record_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = open_archive(tmp_path)

    def refuse(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pwrite", refuse)
    write_exchanges(archive, exchange(1))
    with pytest.raises(StoreFailed, match="Input/output error") as caught:
        archive.flush()
    assert not caught.value.full
    monkeypatch.undo()
    archive.rewind({})
    assert list_files(tmp_path) == []
    write_exchanges(archive, exchange(2))
    archive.close()
    assert len(list(read_records(tmp_path))) == 4


def test_an_archive_that_cannot_be_created_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file")
    with pytest.raises(BadInput, match="cannot be used"):
        open_archive(tmp_path)
    with pytest.raises(BadInput, match="No such file"):
        Archive(tmp_path / "none" / "archive", {})
