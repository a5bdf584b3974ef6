"""The archive keeps what the store promised, and nothing else."""

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

from gossamer.errors import BadInput, StoreFailed
from gossamer.net.fingerprint import digest
from gossamer.records import Exchange, Page
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader, WarcRecord

FORK = multiprocessing.get_context("fork")
NOW_S = 1_790_000_000.0


def exchange(number: int = 1, payload: bytes | None = None, head: bytes = b"", **told: object) -> Exchange:
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
    return Exchange(**{**known, **told})  # type: ignore[arg-type]


def keep(archive: Archive, *exchanges: Exchange) -> list[WarcPosition]:
    return [archive.write(each, digest(each.payload)) for each in exchanges]


def opened(folder: Path, promised: dict[str, int] | None = None, **told: object) -> Archive:
    return Archive(folder / "archive", promised or {}, clock=lambda: NOW_S, **told)  # type: ignore[arg-type]


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "archive").glob("*.warc.gz"))


def records(folder: Path) -> Iterator[WarcRecord]:
    for name in files(folder):
        found = WarcReader(folder / "archive" / name)
        yield from found
        assert not found.damage


def test_a_visit_leaves_three_records_each_its_own_gzip_member(tmp_path: Path) -> None:
    archive = opened(tmp_path, about={"robots": "classic", "operator": "mail@example.org"})
    facts = {"via": "http://www.example.org/\r\nevil: yes", "hopsFromSeed": "LL"}
    place = archive.write(exchange(), digest(b"<p>Hello"), facts=facts)
    archive.close()
    info, response, request, metadata = records(tmp_path)
    assert [each.type for each in (info, response, request, metadata)] == [
        "warcinfo",
        "response",
        "request",
        "metadata",
    ]
    assert b"robots: classic\r\n" in info.block
    assert b"software: Gossamer/" in info.block
    assert place == WarcPosition(files(tmp_path)[0], response.offset)
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


def test_what_was_kept_can_be_read_back(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    packed = gzip.compress(b"<p>packed")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n"
    plain, coded = keep(archive, exchange(1), exchange(2, packed, head, cut="time"))
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


def test_the_same_payload_is_kept_once(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    body = random.Random(1).randbytes(5000)
    (place,) = keep(archive, exchange(1, body))
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
    revisits = [each for each in records(tmp_path) if each.type == "revisit"]
    assert [each.headers["warc-profile"].rpartition("/")[2] for each in revisits] == [
        *("identical-payload-digest", "identical-payload-digest", "server-not-modified")
    ]
    # Also those of pages that were revisits themselves: what they refer to is a response.
    assert {each.headers["warc-refers-to-target-uri"] for each in revisits} == {exchange(1).url}
    assert {each.headers["warc-refers-to-date"] for each in revisits} == {"2026-09-21T14:13:21Z"}
    assert {each.headers["warc-refers-to-file-offset"] for each in revisits} == {str(place.offset)}
    assert {each.headers["warc-payload-digest"] for each in revisits} == {digest(body)}
    assert all(len(each.block) < 200 for each in revisits)


def test_another_payload_is_never_called_the_same(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write(exchange(1), "", same=Page(1, "http://x/", "", 1, 0, 0.0, 200, "html", digest="sha1:OTHER"))
    archive.close()
    (response,) = (each for each in records(tmp_path) if each.type == "response")
    assert response.headers["warc-payload-digest"] == digest(exchange(1).payload)


def test_nothing_refers_to_a_page_whose_bytes_are_not_in_the_archive(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    (place,) = keep(archive, exchange(1))
    nowhere = ("", 0), ("lost.warc.gz", 0), (place.warc, place.offset + 1), (place.warc, 0)
    for number, (warc, offset) in enumerate(nowhere, 2):
        payload_digest = digest(exchange(number).payload)
        before = Page(1, "http://x/", "", 1, 0, 0.0, 200, "html", digest=payload_digest, warc=warc)
        before = msgspec.structs.replace(before, warc_offset=offset)
        archive.write(exchange(number), "", same=before)
        archive.write(exchange(9, b"", b"HTTP/1.1 304 Not Modified\r\n\r\n", status=304), "", same=before)
    archive.close()
    assert [each.type for each in records(tmp_path)].count("response") == 9


def test_answers_of_the_same_bytes_are_kept_once_without_being_told(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, *(exchange(number, b"Not found", status=404) for number in (1, 2)))
    keep(archive, exchange(3, b"Not found", cut="length"))  # who knows how it goes on?
    archive.close()
    kinds = [each.type for each in records(tmp_path)]
    assert (kinds.count("response"), kinds.count("revisit")) == (2, 1)


def test_what_was_cut_off_is_referred_to_by_nobody(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange(1))
    promised = archive.flush()
    keep(archive, exchange(2, b"for nothing"))
    archive.rewind(promised)
    keep(archive, exchange(3, b"for nothing"))
    archive.close()
    assert not [each for each in records(tmp_path) if each.type == "revisit"]


def test_an_empty_payload_is_not_worth_a_revisit(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write(exchange(1, b""), digest(b""), same=Page(1, "http://x/", "", 1, 0, 0.0, 200, "html"))
    archive.close()
    assert [each.type for each in records(tmp_path)][1] == "response"


@pytest.mark.parametrize("cut", ["length", "time", "connection"])
def test_a_cut_body_says_so_and_its_head_fits(cut: str, tmp_path: Path) -> None:
    archive = opened(tmp_path)
    (place,) = keep(archive, exchange(1, b"half", b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n", cut=cut))
    archive.close()
    found = archive.read(place)
    assert found is not None
    assert (found.payload, found.cut) == (b"half", cut)
    assert dict(found.headers) == {"x-archive-orig-content-length": "8", "content-length": "4"}


def test_files_rotate_and_sort_by_name(tmp_path: Path) -> None:
    archive = opened(tmp_path, rotate_bytes=4000)
    rnd = random.Random(2)
    places = keep(archive, *(exchange(number, rnd.randbytes(1500)) for number in range(5)))
    ends = archive.flush()
    archive.close()
    assert len({place.warc for place in places}) == 3
    assert files(tmp_path) == [f"gossamer-20260921141320-000-0000{serial}.warc.gz" for serial in range(3)]
    assert ends == {name: (tmp_path / "archive" / name).stat().st_size for name in files(tmp_path)}
    assert archive.flush() == {}
    assert sum(each.type == "warcinfo" for each in records(tmp_path)) == 3


# After a kill


def test_what_was_not_promised_is_cut_off_and_the_file_goes_on(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange(1), exchange(2))
    promised = archive.flush(sync=True)
    keep(archive, exchange(3))  # never committed, never closed
    again = opened(tmp_path, promised)
    place = keep(again, exchange(4))[0]
    again.close()
    assert [each.headers["warc-target-uri"][-1] for each in records(tmp_path) if each.type == "response"] == [
        "1",
        "2",
        "4",
    ]
    assert place.warc == next(iter(promised))


@pytest.mark.parametrize("rotate_bytes", [100, 10_000])
def test_after_a_failed_commit_the_archive_goes_back(rotate_bytes: int, tmp_path: Path) -> None:
    archive = opened(tmp_path, rotate_bytes=rotate_bytes)
    keep(archive, exchange(1))
    promised = archive.flush()
    keep(archive, exchange(2), exchange(3))
    archive.flush()  # for a commit that then failed
    archive.rewind(promised)
    assert archive.flush() == {}
    keep(archive, exchange(2), exchange(3))
    promised |= archive.flush()
    archive.close()
    assert promised == {name: (tmp_path / "archive" / name).stat().st_size for name in files(tmp_path)}
    found = [each.headers["warc-target-uri"][-1] for each in records(tmp_path) if each.type == "response"]
    assert found == ["1", "2", "3"]
    lines = [
        line
        for path in (tmp_path / "archive").glob("*.cdxj")
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(lines) == 3


def test_files_that_were_never_promised_go_and_only_those_of_this_shard(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    mine, other = "gossamer-20260101000000-000-00007.warc.gz", "gossamer-20260101000000-001-00003.warc.gz"
    for name in (mine, mine.replace(".warc.gz", ".cdxj"), other, "my-notes.warc.gz", "readme.txt"):
        (folder / name).write_text("x")
    archive = opened(tmp_path, {"other.warc.gz": 5})
    assert sorted(path.name for path in folder.iterdir()) == [other, "my-notes.warc.gz", "readme.txt"]
    keep(archive, exchange())
    archive.close()
    assert "gossamer-20260921141320-000-00008.warc.gz" in files(tmp_path)
    assert (folder / other).read_text() == "x"


def test_a_file_shorter_than_promised_is_left_alone_and_named(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange())
    promised = archive.flush()
    archive.close()
    (name,) = promised
    os.truncate(tmp_path / "archive" / name, promised[name] - 7)
    again = opened(tmp_path, {**promised, "gossamer-20260101000000-000-00099.warc.gz": 12})
    assert again.lost_bytes == {name: 7, "gossamer-20260101000000-000-00099.warc.gz": 12}
    assert keep(again, exchange(2))[0].warc != name
    again.close()
    assert (tmp_path / "archive" / name).stat().st_size == promised[name] - 7


def write_until_killed(folder: Path, promised: dict[str, int], begin: int, told: Connection) -> None:
    archive = opened(folder, promised, rotate_bytes=20_000)
    rnd = random.Random(begin)
    for number in range(begin, begin + 100_000):
        keep(archive, exchange(number, rnd.randbytes(rnd.randrange(4000))))
        told.send((number, archive.flush()))


def test_a_kill_at_any_moment_leaves_exactly_what_was_promised(tmp_path: Path) -> None:
    rnd = random.Random(5)
    promised: dict[str, int] = {}
    number = 0
    for _ in range(8):
        hears, tells = FORK.Pipe(duplex=False)
        writer = FORK.Process(target=write_until_killed, args=(tmp_path, dict(promised), number + 1, tells))
        writer.start()
        tells.close()
        number, ends = hears.recv()
        promised |= ends
        time.sleep(rnd.uniform(0, 0.02))
        assert writer.pid
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        hears.close()
        # What was told and not heard is as if it had never been committed.
        opened(tmp_path, promised, rotate_bytes=20_000).close()
        urls = [each.headers["warc-target-uri"] for each in records(tmp_path) if each.type == "response"]
        assert len(urls) == len(set(urls))
        assert urls[-1] == exchange(number).url
        for name in files(tmp_path):
            index = (tmp_path / "archive" / name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
            assert index == sorted(cdxj_index.index_warc(tmp_path / "archive" / name))


# A full disk


def test_a_full_disk_leaves_whole_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange(1))
    end = archive.flush()
    real = os.pwrite

    def full_soon(file: int, data: bytes, offset: int) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data[: len(data) // 2], offset)

    monkeypatch.setattr(os, "pwrite", full_soon)
    keep(archive, exchange(2))
    with pytest.raises(StoreFailed, match="the disk is full") as caught:
        archive.flush()
    assert caught.value.full
    assert (tmp_path / "archive" / files(tmp_path)[0]).stat().st_size == end[files(tmp_path)[0]]
    monkeypatch.undo()
    keep(archive, exchange(3))
    now = archive.flush()
    assert (tmp_path / "archive" / files(tmp_path)[0]).stat().st_size == now[files(tmp_path)[0]]
    archive.close()
    urls = [each.headers["warc-target-uri"] for each in records(tmp_path) if each.type == "response"]
    assert urls == [exchange(number).url for number in (1, 2, 3)]


def test_what_waits_for_a_batch_to_end_is_bounded(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    for number in range(30):
        keep(archive, exchange(number, random.Random(number).randbytes(100_000)))
    assert (tmp_path / "archive" / files(tmp_path)[0]).stat().st_size > 1_500_000


def test_a_disk_that_fails_at_the_first_record_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = opened(tmp_path)

    def refuse(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pwrite", refuse)
    keep(archive, exchange(1))
    with pytest.raises(StoreFailed, match="Input/output error") as caught:
        archive.flush()
    assert not caught.value.full
    monkeypatch.undo()
    archive.rewind({})
    assert files(tmp_path) == []
    keep(archive, exchange(2))
    archive.close()
    assert len(list(records(tmp_path))) == 4


def test_an_archive_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file")
    with pytest.raises(BadInput, match="cannot be used"):
        opened(tmp_path)
    with pytest.raises(BadInput, match="No such file"):
        Archive(tmp_path / "none" / "archive", {})


# The index beside it


def test_the_index_is_the_same_whether_written_or_made_from_the_file(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    body = b"same"
    first, *_ = keep(
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
    opened(tmp_path, archive.flush()).close()
    assert path.read_text("utf-8") == written
    assert len(written.splitlines()) == 4
    assert written.count("warc/revisit") == 1


def test_a_stale_index_is_made_anew(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange(1))
    promised = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    path.write_text("stale")
    os.utime(path, (1, 1))
    opened(tmp_path, promised).close()
    assert path.read_text("utf-8").startswith("org,example)/1 20260921141321 {")


def test_a_continued_file_is_indexed_whole(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    keep(archive, exchange(1))
    promised = archive.flush()
    archive.close()
    again = opened(tmp_path, promised)
    keep(again, exchange(2))
    again.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    assert len(path.read_text("utf-8").splitlines()) == 2
