"""What the archive writes for a visit, and how it is read back."""

import gzip
import random
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.archive.sample_exchanges import (
    NOW_S,
    exchange,
    list_files,
    open_archive,
    read_records,
    write_exchanges,
)

from gossamer.net.fingerprint import digest
from gossamer.records import Page
from gossamer.store.archive.archive_reader import WarcPosition


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
