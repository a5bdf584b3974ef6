"""WARC files of other programs, whole and damaged."""

import gzip
import io
import random
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gossamer.errors import BadInput
from gossamer.net.fingerprint import digest
from gossamer.store.archive import warc_records
from gossamer.store.archive.foreign_warc import ForeignWarcs, _OriginalPositions

DATE = "2020-02-03T04:05:06Z"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


def record(kind: str, block: bytes, url: str = "", **fields: str) -> bytes:
    told = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:x:{kind}:{url}>",
        "WARC-Date": DATE,
        "WARC-Target-URI": url,
    }
    told |= {name.replace("_", "-"): value for name, value in fields.items()}
    told["Content-Length"] = str(len(block))
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items() if value)
    return b"WARC/1.0\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n"


def response(number: int, body: bytes | None = None, head: bytes = HEAD, **fields: str) -> bytes:
    payload = random.Random(number).randbytes(800) if body is None else body
    return record("response", head + payload, f"http://e.com/{number}", **fields)


def pack(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, records))


def read_urls(path: Path) -> tuple[list[str], list[str]]:
    foreign = ForeignWarcs([path])
    return [exchange.url.removeprefix("http://e.com/") for exchange in foreign], foreign.damage


@pytest.mark.parametrize("as_gzip", [True, False])
def test_requests_before_and_after_a_response_are_paired_with_it(as_gzip: bool, tmp_path: Path) -> None:
    before = record("request", b"GET /1 HTTP/1.1\r\n\r\n", "http://e.com/1")
    behind = record(
        "request",
        b"GET /2 HTTP/1.1\r\n\r\n",
        "http://e.com/2",
        WARC_Concurrent_To="<urn:x:response:http://e.com/2>",
    )
    records = [
        record("warcinfo", b"software: x\r\n"),
        before,
        response(1, b"one", WARC_Concurrent_To="<urn:x:request:http://e.com/1>", WARC_IP_Address="192.0.2.1"),
        response(2, b"two"),
        behind,
        record("metadata", b"a: b\r\n", "http://e.com/2"),
        response(3, b"three"),
    ]
    path = tmp_path / ("a.warc.gz" if as_gzip else "a.warc")
    path.write_bytes(pack(*records) if as_gzip else b"".join(records))
    foreign = ForeignWarcs([path])
    found = list(foreign)
    assert not foreign.damage
    assert [(each.payload, each.request_head[:6]) for each in found] == [
        *((b"one", b"GET /1"), (b"two", b"GET /2"), (b"three", b""))
    ]
    assert found[0].address == "192.0.2.1"
    assert found[0].began_s == 1580702706.0


def test_records_of_other_programs_are_read(tmp_path: Path) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    body = gzip.compress(b"<p>packed")
    pieces = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    records = [
        record("response", HEAD + b"wget", "<http://e.com/wget>"),
        record("response", chunked + pieces, "http://e.com/raw"),
        record("response", chunked + body, "http://e.com/undone"),
        record("resource", b"plain text", "https://e.com/resource", Content_Type="text/plain"),
        record("response", b"20 text/gemini\r\nhello", "gemini://e.com/"),
        record("response", b"\x00\x01", "dns:e.com"),
        record("response", b"not HTTP at all", "http://e.com/broken"),
        record("conversion", b"text", "http://e.com/wget"),
        record("response", b"HTTP/1.1 200 OK\r\n\r\nhalf", "http://e.com/cut", WARC_Truncated="disconnect"),
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(pack(*records))
    foreign = ForeignWarcs(
        [path], decode=lambda payload, coding: gzip.decompress(payload) if coding == "gzip" else payload
    )
    found = {each.url: each for each in foreign}
    assert list(found) == [
        *(
            "http://e.com/wget",
            "http://e.com/raw",
            "http://e.com/undone",
            "https://e.com/resource",
            "http://e.com/cut",
        )
    ]
    assert found["http://e.com/raw"].payload == found["http://e.com/undone"].payload == body
    assert found["http://e.com/raw"].body == b"<p>packed"
    assert found["https://e.com/resource"].headers == (("content-type", "text/plain"),)
    assert found["http://e.com/cut"].cut == "connection"
    assert not foreign.damage


def test_revisits_get_the_payload_they_refer_to(tmp_path: Path) -> None:
    kept = b"<p>kept once"
    first, second = tmp_path / "1.warc.gz", tmp_path / "2.warc.gz"
    first.write_bytes(
        pack(response(1, kept, WARC_Payload_Digest=digest(kept)), response(2, b"by date")),
    )
    head = b"HTTP/1.1 200 OK\r\nX: new\r\n\r\n"
    second.write_bytes(
        pack(
            record("revisit", head, "http://e.com/9", WARC_Payload_Digest=digest(kept)),
            record(
                "revisit",
                head,
                "http://e.com/8",
                WARC_Refers_To_Target_URI="http://e.com/2",
                WARC_Refers_To_Date=DATE,
            ),
            record("revisit", head, "http://e.com/7", WARC_Payload_Digest=digest(b"never seen")),
        )
    )
    foreign = ForeignWarcs([tmp_path])
    found = {each.url[-1]: each for each in foreign}
    assert (found["9"].payload, found["8"].payload) == (kept, b"by date")
    assert found["9"].headers == (("x", "new"),)
    assert "7" not in found
    (damage,) = foreign.damage
    assert damage.startswith("2.warc.gz: the revisit at byte ")


# warcio leaves temporary files to the garbage collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_records_of_warcio_are_read(tmp_path: Path) -> None:
    with (tmp_path / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        first = writer.create_warc_record(
            "http://e.com/1", "response", io.BytesIO(b"<p>one"), http_headers=head
        )
        writer.write_record(first)
        again = writer.create_revisit_record(
            "http://e.com/2",
            first.rec_headers.get_header("WARC-Payload-Digest"),
            "http://e.com/1",
            first.rec_headers.get_header("WARC-Date"),
            http_headers=head,
        )
        writer.write_record(again)
    foreign = ForeignWarcs([tmp_path / "a.warc.gz"])
    assert [each.payload for each in foreign] == [b"<p>one", b"<p>one"]
    assert not foreign.damage


# Damage


@pytest.mark.parametrize("cut_bytes", [1, 7, 30, 400])
@pytest.mark.parametrize("as_gzip", [True, False])
def test_a_truncated_file_yields_its_whole_records(cut_bytes: int, as_gzip: bool, tmp_path: Path) -> None:
    records = [response(number) for number in range(3)]
    whole = pack(*records) if as_gzip else b"".join(records)
    (tmp_path / "a.warc.gz").write_bytes(whole[: -cut_bytes - 4])
    found, damage = read_urls(tmp_path / "a.warc.gz")
    assert found[:2] == ["0", "1"]
    assert damage or found == ["0", "1", "2"]


@pytest.mark.parametrize("as_gzip", [True, False])
def test_a_truncation_anywhere_is_reported(as_gzip: bool, tmp_path: Path) -> None:
    records = [response(number, b"short") for number in range(2)]
    first, second = map(gzip.compress, records) if as_gzip else records
    block_ends = len(first) + len(second) - (0 if as_gzip else len(b"\r\n\r\n"))
    path = tmp_path / "a.warc.gz"
    for cut_at in range(len(first) + 1, len(first) + len(second)):
        path.write_bytes((first + second)[:cut_at])
        found, damage = read_urls(path)
        assert found[:1] == ["0"]
        assert damage or cut_at >= block_ends, cut_at
    path.write_bytes(first)
    assert read_urls(path) == (["0"], [])


def test_a_response_before_damage_is_kept_if_it_matches_its_digest(tmp_path: Path) -> None:
    told = digest(b"payload")
    right, wrong = (
        response(1, b"payload", WARC_Payload_Digest=told),
        response(2, b"paXload", WARC_Payload_Digest=told),
    )
    damage = b"WARC/1.0\r\nContent-Length: x\r\n" + b"\0" * 50
    for number, (plain, kept) in enumerate([(right, ["1"]), (wrong, [])]):
        path = tmp_path / f"{number}.warc.gz"
        path.write_bytes(gzip.compress(plain) + gzip.compress(damage)[:-9] + b"rubbish")
        assert [*read_urls(path)[0]] == kept


def test_reading_continues_after_damage(tmp_path: Path) -> None:
    members = [gzip.compress(response(number)) for number in range(5)]
    broken = bytearray(members[2])
    broken[100:160] = bytes(60)
    (tmp_path / "a.warc.gz").write_bytes(
        b"".join([*members[:2], bytes(broken), b"rubbish" * 20, *members[3:]])
    )
    found, damage = read_urls(tmp_path / "a.warc.gz")
    assert found == ["0", "1", "3", "4"]
    assert "a.warc.gz is damaged behind byte" in damage[0]


def test_arbitrary_damage_does_not_stop_reading(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    whole = pack(*(response(number) for number in range(4)))
    rnd = random.Random(11)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rnd.randrange(1, 6)):
            at = rnd.randrange(len(data))
            data[at : at + rnd.randrange(30)] = rnd.randbytes(rnd.randrange(30))
        path.write_bytes(bytes(data))
        found, damage = read_urls(path)
        assert len(found) <= 4
        assert damage or len(found) == 4


def overstate(plain: bytes, more: int) -> bytes:
    """Return a record whose header says `more` bytes than its block has."""
    length = plain.split(b"Content-Length: ")[1].split(b"\r\n")[0]
    return plain.replace(b"Content-Length: " + length, b"Content-Length: %d" % (int(length) + more))


@pytest.mark.parametrize("as_gzip", [True, False])
@pytest.mark.parametrize("more", [5, 10, 150, 1000, 10**6, 10**14])
def test_a_length_that_is_too_large_swallows_no_records(more: int, as_gzip: bool, tmp_path: Path) -> None:
    records = [response(number, b"<p>%d" % number) for number in range(6)]
    records[2] = overstate(records[2], more)
    (tmp_path / "a.warc.gz").write_bytes(pack(*records) if as_gzip else b"".join(records))
    foreign = ForeignWarcs([tmp_path / "a.warc.gz"])
    found = {each.url[-1]: each for each in foreign}
    assert list(found) == ["0", "1", "2", "3", "4", "5"]
    assert (found["2"].payload, found["2"].cut) == (b"<p>2", "length")
    assert foreign.damage


@pytest.mark.parametrize("as_gzip", [True, False])
def test_a_length_that_ends_with_another_record_swallows_none_if_there_is_a_digest(
    as_gzip: bool, tmp_path: Path
) -> None:
    records = [
        response(number, b"<p>%d" % number, WARC_Payload_Digest=digest(b"<p>%d" % number))
        for number in range(6)
    ]
    records[2] = overstate(records[2], len(b"\r\n\r\n" + records[3] + records[4]) - len(b"\r\n\r\n"))
    (tmp_path / "a.warc.gz").write_bytes(pack(*records) if as_gzip else b"".join(records))
    foreign = ForeignWarcs([tmp_path / "a.warc.gz"])
    found = {each.url[-1]: each for each in foreign}
    assert list(found) == ["0", "1", "2", "3", "4", "5"]
    assert (found["2"].payload, found["2"].cut) == (b"<p>2", ""), "its digest says that it is whole"


@pytest.mark.parametrize("as_gzip", [True, False])
@pytest.mark.parametrize("last", [False, True])
def test_a_page_that_holds_a_warc_file_stays_one_page(last: bool, as_gzip: bool, tmp_path: Path) -> None:
    inner = b"see:\r\n\r\n" + response(7) + response(8)
    records = [response(1), response(2, inner), *([] if last else [response(3)])]
    (tmp_path / "a.warc.gz").write_bytes(pack(*records) if as_gzip else b"".join(records))
    foreign = ForeignWarcs([tmp_path / "a.warc.gz"])
    found = {each.url[-1]: each for each in foreign}
    assert list(found) == ["1", "2"] + ([] if last else ["3"])
    assert found["2"].payload == inner
    assert not foreign.damage


def test_many_false_lengths_are_not_read_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken_bytes = 0
    read = warc_records._BoundedFile.read

    def count(self: warc_records._BoundedFile, size: int = -1) -> bytes:
        nonlocal taken_bytes
        data = read(self, size)
        taken_bytes += len(data)
        return data

    monkeypatch.setattr(warc_records._BoundedFile, "read", count)
    records = [overstate(response(number), 10**14) for number in range(400)]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    found, damage = read_urls(tmp_path / "a.warc")
    assert len(found) == len(damage) == 400
    # Some ten kilobytes are read ahead; to read the rest of the file for each record would be 80 MB.
    assert taken_bytes < 50_000_000


@pytest.mark.parametrize(
    "content",
    [b"", b"not a WARC" * 500, b"\x1f\x8b\x08\x00" * 300, gzip.compress(b"text", mtime=0), b"WARC/1.0\r\n"],
)
def test_files_that_are_not_warc_yield_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(content)
    found, _ = read_urls(tmp_path / "a.warc.gz")
    assert found == []


@pytest.mark.slow
def test_the_number_of_false_beginnings_tried_is_limited(tmp_path: Path) -> None:
    false = b"\x1f\x8b\x08\x00" * 30_000
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(response(1)) + false + gzip.compress(response(2)))
    found, damage = read_urls(tmp_path / "a.warc.gz")
    assert found == ["1"]
    assert "too damaged" in damage[-1]


def test_missing_files_and_empty_folders_are_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there are no WARC or WACZ files in"):
        ForeignWarcs([tmp_path])
    with pytest.raises(BadInput, match=r"cannot read .*: No such file"):
        ForeignWarcs([tmp_path / "none.warc.gz"])


@pytest.mark.slow
def test_positions_of_many_originals_are_found() -> None:
    originals = _OriginalPositions()
    for number in range(300_000):
        originals.add([number * 7919 % (1 << 61)], number % 5, number)
    for number in (0, 1, 65_535, 65_536, 250_000, 299_999):
        assert originals.find(number * 7919 % (1 << 61)) == (number % 5, number)
    assert originals.find(5) is None
    assert len(originals._runs) <= 4
