"""The archive keeps what the store committed, and nothing else."""

import errno
import gzip
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import pytest
from tests.few_files import leave_files

from gossamer.errors import BadInput, StoreFailed
from gossamer.net.fingerprint import digest
from gossamer.records import Exchange, Page
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader, WarcRecord

FORK = multiprocessing.get_context("fork")
NOW_S = 1_790_000_000.0


def exchange(number: int = 1, payload: bytes | None = None, head: bytes = b"", **fields: object) -> Exchange:
    payload = b"<p>Hello" + b"!" * (number - 1) if payload is None else payload
    head = (
        head
        or b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
        % len(payload)
    )
    known = {
        "url": f"http://www.example.org/{number}",
        "status": 200,
        "request_head": b"GET /%d HTTP/1.1\r\nHost: www.example.org\r\n\r\n" % number,
        "response_head": head,
        "payload": payload,
        "body": payload,
        "headers": (("content-type", "text/html; charset=utf-8"),),
        "address": "192.0.2.7",
        "began_s": NOW_S + number,
        "first_byte_s": 0.1,
        "took_s": 0.25,
    }
    return Exchange(**{**known, **fields})  # type: ignore[arg-type]


def write_exchanges(archive: Archive, *exchanges: Exchange) -> list[WarcPosition]:
    return [archive.write(each, digest(each.payload)) for each in exchanges]


def open_archive(folder: Path, committed: dict[str, int] | None = None, **fields: object) -> Archive:
    return Archive(folder / "archive", committed or {}, clock=lambda: NOW_S, **fields)  # type: ignore[arg-type]


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "archive").glob("*.warc.gz"))


def read_records(folder: Path) -> Iterator[WarcRecord]:
    for name in list_files(folder):
        found = WarcReader(folder / "archive" / name)
        yield from found
        assert not found.damage


def test_a_visit_is_three_records_in_gzip_members_of_their_own(tmp_path: Path) -> None:
    archive = open_archive(tmp_path, about={"robots": "classic", "operator": "mail@example.org"})
    facts = {"via": "http://www.example.org/\r\nevil: yes", "hopsFromSeed": "LL"}
    place = archive.write(exchange(), digest(b"<p>Hello"), facts=facts)
    archive.close()
    info, response, request, metadata = read_records(tmp_path)
    assert [each.type for each in (info, response, request, metadata)] == [
        "warcinfo",
        "response",
        "request",
        "metadata",
    ]
    assert b"robots: classic\r\n" in info.block
    assert b"software: Gossamer/" in info.block
    assert place == WarcPosition(list_files(tmp_path)[0], response.offset)
    assert response.headers["warc-target-uri"] == "http://www.example.org/1"
    assert response.headers["warc-ip-address"] == "192.0.2.7"
    assert response.headers["warc-payload-digest"] == digest(b"<p>Hello")
    assert response.headers["warc-date"] == "2026-09-21T14:13:21Z"
    assert response.block == exchange().response_head + b"<p>Hello"
    assert request.block == exchange().request_head
    assert request.headers["warc-concurrent-to"] == response.headers["warc-record-id"]
    assert (
        metadata.block
        == b"fetchTimeMs: 250\r\nvia: http://www.example.org/ evil: yes\r\nhopsFromSeed: LL\r\n"
    )
    raw = (tmp_path / "archive" / place.warc).read_bytes()
    for record in (info, response, request, metadata):
        member = gzip.decompress(raw[record.offset : record.offset + record.length])
        assert member.startswith(b"WARC/1.1\r\n")
        assert member.endswith(record.block + b"\r\n\r\n")


def test_written_exchanges_can_be_read_back(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    packed = gzip.compress(b"<p>packed")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n"
    plain, coded = write_exchanges(archive, exchange(1), exchange(2, packed, head, cut="time"))
    archive.flush()
    first = archive.read(plain)
    assert first is not None
    assert (first.url, first.status, first.payload, first.body) == (
        exchange().url,
        200,
        b"<p>Hello",
        b"<p>Hello",
    )
    assert first.response_head == exchange().response_head
    assert first.began_s == exchange().began_s
    second = archive.read(coded, decode=lambda payload, coding: coding.encode() + gzip.decompress(payload))
    assert second is not None
    assert (second.payload, second.body, second.cut) == (packed, b"gzip<p>packed", "time")
    assert b"\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n" in second.response_head
    assert archive.read(WarcPosition(plain.warc, 3)) is None
    assert archive.read(WarcPosition("none.warc.gz", 0)) is None
    assert archive.read(WarcPosition("../../etc/passwd", 0)) is None


def test_an_equal_payload_is_stored_once(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    body = random.Random(1).randbytes(5000)
    (place,) = write_exchanges(archive, exchange(1, body))
    archive.flush()
    page = Page(1, exchange(1).url, "", 1, 0, NOW_S + 1, 200, "html", digest=digest(body), warc=place.warc)
    page = msgspec.structs.replace(page, warc_offset=place.offset)
    again = archive.write(exchange(2, body), digest(body), same=page)
    third = msgspec.structs.replace(
        page, id=2, url=exchange(2).url, warc=again.warc, warc_offset=again.offset
    )
    last = archive.write(exchange(3, body), digest(body), same=third)
    unchanged = archive.write(
        exchange(1, b"", b"HTTP/1.1 304 Not Modified\r\n\r\n", status=304), digest(b""), same=page
    )
    archive.flush()
    for each in (again, last, unchanged):
        found = archive.read(each)
        assert found is not None
        assert found.payload == body
    archive.close()
    revisits = [each for each in read_records(tmp_path) if each.type == "revisit"]
    assert [each.headers["warc-profile"].rpartition("/")[2] for each in revisits] == [
        *("identical-payload-digest", "identical-payload-digest", "server-not-modified")
    ]
    # Revisits of revisits refer to a response as well.
    assert {each.headers["warc-refers-to-target-uri"] for each in revisits} == {exchange(1).url}
    assert {each.headers["warc-refers-to-date"] for each in revisits} == {"2026-09-21T14:13:21Z"}
    assert {each.headers["warc-refers-to-file-offset"] for each in revisits} == {str(place.offset)}
    assert {each.headers["warc-payload-digest"] for each in revisits} == {digest(body)}
    assert all(len(each.block) < 200 for each in revisits)


def test_a_different_payload_is_never_written_as_a_revisit(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    archive.write(exchange(1), "", same=Page(1, "http://x/", "", 1, 0, 0.0, 200, "html", digest="sha1:OTHER"))
    archive.close()
    (response,) = (each for each in read_records(tmp_path) if each.type == "response")
    assert response.headers["warc-payload-digest"] == digest(exchange(1).payload)


def test_revisits_never_refer_to_pages_outside_the_archive(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    (place,) = write_exchanges(archive, exchange(1))
    nowhere = ("", 0), ("lost.warc.gz", 0), (place.warc, place.offset + 1), (place.warc, 0)
    for number, (warc, offset) in enumerate(nowhere, 2):
        payload_digest = digest(exchange(number).payload)
        before = Page(1, "http://x/", "", 1, 0, 0.0, 200, "html", digest=payload_digest, warc=warc)
        before = msgspec.structs.replace(before, warc_offset=offset)
        archive.write(exchange(number), "", same=before)
        archive.write(exchange(9, b"", b"HTTP/1.1 304 Not Modified\r\n\r\n", status=304), "", same=before)
    archive.close()
    assert [each.type for each in read_records(tmp_path)].count("response") == 9


def test_equal_responses_are_found_without_a_hint(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, *(exchange(number, b"Not found", status=404) for number in (1, 2)))
    write_exchanges(archive, exchange(3, b"Not found", cut="length"))  # truncated: the rest may differ
    archive.close()
    kinds = [each.type for each in read_records(tmp_path)]
    assert (kinds.count("response"), kinds.count("revisit")) == (2, 1)


def test_revisits_never_refer_to_truncated_responses(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    write_exchanges(archive, exchange(2, b"for nothing"))
    archive.rewind(committed)
    write_exchanges(archive, exchange(3, b"for nothing"))
    archive.close()
    assert not [each for each in read_records(tmp_path) if each.type == "revisit"]


def test_an_empty_payload_is_not_written_as_a_revisit(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    archive.write(exchange(1, b""), digest(b""), same=Page(1, "http://x/", "", 1, 0, 0.0, 200, "html"))
    archive.close()
    assert [each.type for each in read_records(tmp_path)][1] == "response"


@pytest.mark.parametrize("cut", ["length", "time", "connection"])
def test_a_truncated_body_is_marked_and_its_head_fits(cut: str, tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    (place,) = write_exchanges(
        archive, exchange(1, b"half", b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n", cut=cut)
    )
    archive.close()
    found = archive.read(place)
    assert found is not None
    assert (found.payload, found.cut) == (b"half", cut)
    assert dict(found.headers) == {"x-archive-orig-content-length": "8", "content-length": "4"}


def test_files_rotate_and_sort_by_name(tmp_path: Path) -> None:
    archive = open_archive(tmp_path, rotate_bytes=4000)
    rnd = random.Random(2)
    places = write_exchanges(archive, *(exchange(number, rnd.randbytes(1500)) for number in range(5)))
    ends = archive.flush()
    archive.close()
    assert len({place.warc for place in places}) == 3
    assert list_files(tmp_path) == [
        f"gossamer-20260921141320-000-0000{serial}.warc.gz" for serial in range(3)
    ]
    assert ends == {name: (tmp_path / "archive" / name).stat().st_size for name in list_files(tmp_path)}
    assert archive.flush() == {}
    assert sum(each.type == "warcinfo" for each in read_records(tmp_path)) == 3


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


# The index


def test_the_index_written_by_the_crawl_equals_one_made_from_the_file(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    body = b"same"
    first, *_ = write_exchanges(
        archive,
        exchange(3, body),
        exchange(1),
        exchange(2, b"", b"HTTP/1.1 301 Moved\r\n\r\n", status=301, headers=()),
    )
    page = Page(3, exchange(3).url, "", 1, 0, NOW_S, 200, "html", digest=digest(body), warc=first.warc)
    page = msgspec.structs.replace(page, warc_offset=first.offset)
    archive.write(exchange(4, body), digest(body), same=page)
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    written = path.read_text("utf-8")
    path.unlink()
    open_archive(tmp_path, archive.flush()).close()
    assert path.read_text("utf-8") == written
    assert len(written.splitlines()) == 4
    assert written.count("warc/revisit") == 1


def test_a_stale_index_is_rewritten(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    path.write_text("stale")
    os.utime(path, (1, 1))
    open_archive(tmp_path, committed).close()
    assert path.read_text("utf-8").startswith("org,example)/1 20260921141321 {")


def test_records_added_after_the_clock_was_set_back_are_indexed(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    a_year_ahead_s = time.time() + 365 * 86_400
    for each in (warc, path):
        os.utime(each, (a_year_ahead_s, a_year_ahead_s))
    again = open_archive(tmp_path, committed)
    write_exchanges(again, exchange(2))
    committed |= again.flush()  # and killed
    os.close(again._file)
    third = open_archive(tmp_path, committed)
    third.close()
    assert len(path.read_text("utf-8").splitlines()) == 2


def test_an_index_is_not_written_again_because_its_file_is_from_the_future(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    a_year_ahead_s = time.time() + 365 * 86_400
    os.utime(warc, (a_year_ahead_s, a_year_ahead_s))
    assert not cdxj_index.is_fresh(warc)
    open_archive(tmp_path, committed, rotate_bytes=1).close()
    written = path.stat().st_ino
    assert cdxj_index.is_fresh(warc)
    open_archive(tmp_path, committed, rotate_bytes=1).close()
    assert path.stat().st_ino == written


def test_a_continued_file_is_indexed_from_its_beginning(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    again = open_archive(tmp_path, committed)
    write_exchanges(again, exchange(2))
    again.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    assert len(path.read_text("utf-8").splitlines()) == 2
