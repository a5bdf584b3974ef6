"""A WARC file is served again as it was recorded, and damaged files are errors."""

import gzip
import http.client
import io
import itertools
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gossamer.errors import BadInput
from gossamer.lab.recordings.replay_warc import Recording
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import serving

OK = b"HTTP/1.1 200 OK\r\n"
PACKED = gzip.compress(b"hello")


def record(
    url: str,
    block: bytes,
    date: str = "2020-01-01T00:00:00Z",
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    more: str = "",
) -> bytes:
    """Write one WARC record, uncompressed."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\n{more}Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def packed(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, records))


PLAIN = b"".join
WHOLE = [
    record("http://a.example/", OK + b"Content-Type: text/html\r\nConnection: keep-alive\r\n\r\nfront"),
    record("http://a.example/", OK + b"\r\nlater", "2020-01-03T00:00:00Z"),
    record("http://a.example/", OK + b"\r\nnext day", "2020-01-02T00:00:00Z"),
    record("<http://B.example:80/%7Eann/?q=%20x#part>", OK + b"\r\nann"),
    record("http://b.example:8080/", OK + b"\r\nother port"),
    record("https://c.example", b"HTTP/1.0 404 Gone fishing\nX-A: 1\nX-A: 2\n\nmissing"),
    record("http://c.example/raw", b"picture", kind="resource", content_type="image/png"),
    record(
        "http://c.example/request", b"GET / HTTP/1.1\r\n\r\n", kind="request", content_type="application/http"
    ),
    record("http://c.example/nonsense", b"no HTTP at all"),
    record("http://c.example/early", b"HTTP/1.1 100 Continue\r\n\r\n"),
    record(
        "http://c.example/chunked",
        OK + b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(PACKED), PACKED),
    ),
    record(
        "http://c.example/unchunked",
        OK + b"Transfer-Encoding: chunked\r\nContent-Length: 999\r\nContent-Encoding: gzip\r\n\r\nhello",
    ),
    record(
        "http://c.example/again",
        OK + b"\r\n",
        "2020-01-02T00:00:00Z",
        kind="revisit",
        more="WARC-Refers-To-Target-URI: http://c.example/raw\r\n",
    ),
    record("dns:a.example", b"1.2.3.4", kind="resource", content_type="text/dns"),
    record("http://[broken/", OK + b"\r\nbroken"),
]


@pytest.fixture
def save(tmp_path: Path) -> Callable[[bytes], Path]:
    def save(content: bytes) -> Path:
        path = tmp_path / "test.warc"
        path.write_bytes(content)
        return path

    return save


Save = Callable[[bytes], Path]


def ask(recording: Recording, host: str, target: str, now_s: float = 0.0, method: str = "GET") -> LabAnswer:
    return recording.answer(LabRequest(method, host, target), now_s)


@pytest.mark.parametrize("write", [packed, lambda *records: PLAIN(records)], ids=["gzip", "plain"])
def test_responses_are_served_as_recorded(save: Save, write: Callable[..., bytes]) -> None:
    recording = Recording(save(write(*WHOLE)))
    assert recording.warning == ""
    assert ask(recording, "a.example", "/").body == b"later"
    assert ask(recording, "b.example", "/~ann/?q=%20x").body == b"ann"
    assert ask(recording, "b.example:4711", "/%7eann/?q=%20x").body == b"ann"
    assert ask(recording, "b.example:8080", "/").body == b"other port"
    missing = ask(recording, "c.example", "/")
    assert (missing.status, missing.headers, missing.body) == (404, (("X-A", "1"), ("X-A", "2")), b"missing")
    raw = ask(recording, "c.example", "/raw")
    assert (raw.headers, raw.body) == ((("Content-Type", "image/png"),), b"picture")
    assert ask(recording, "c.example", "/again").body == b"picture"


def test_chunked_framing_is_removed_and_content_coding_kept(save: Save) -> None:
    recording = Recording(save(packed(*WHOLE)))
    chunked = ask(recording, "c.example", "/chunked")
    assert (chunked.headers, chunked.body) == ((("Content-Encoding", "gzip"),), PACKED)
    unchunked = ask(recording, "c.example", "/unchunked")
    assert (unchunked.headers, unchunked.body) == ((), b"hello")


@pytest.mark.parametrize(
    ("host", "target", "status"),
    [
        ("a.example", "/other", 404),
        ("other.example", "/", 404),
        ("c.example", "/request", 404),
        ("c.example", "/nonsense", 502),
        ("c.example", "/early", 502),
        ("", "*", 404),
    ],
)
def test_urls_without_a_recorded_response_get_an_error(
    save: Save, host: str, target: str, status: int
) -> None:
    assert ask(Recording(save(packed(*WHOLE))), host, target).status == status


def test_other_methods_are_not_allowed(save: Save) -> None:
    assert ask(Recording(save(packed(*WHOLE))), "a.example", "/", method="POST").status == 405


def test_by_clock_the_time_chooses_the_capture(save: Save) -> None:
    recording = Recording(save(packed(*WHOLE)), by_clock=True)
    day_s = 86400.0
    for now_s, body, until_s in ((0, b"front", day_s), (day_s, b"next day", 2 * day_s)):
        answer = ask(recording, "a.example", "/", now_s)
        assert (answer.body, answer.fresh_until_s) == (body, until_s)
    assert ask(recording, "a.example", "/", 9 * day_s).body == b"later"
    assert ask(recording, "c.example", "/again", 0).status == 404


def test_hosts_have_addresses_and_seeds(save: Save) -> None:
    recording = Recording(save(packed(*WHOLE)))
    assert recording.hosts() == ["a.example", "b.example", "c.example"]
    assert recording.host_map()["b.example"] == "127.1.0.2"
    assert recording.seeds()[:2] == ["http://a.example/", "http://b.example/%7Eann/?q=%20x"]


@pytest.mark.parametrize("write", [packed, lambda *records: PLAIN(records)], ids=["gzip", "plain"])
def test_a_truncated_file_is_served_up_to_the_truncation(save: Save, write: Callable[..., bytes]) -> None:
    first = write(WHOLE[0], WHOLE[3])
    second = write(record("http://cut.example/", OK + b"\r\n" + b"cut off " * 50))
    ends = len(second) // 2 if write is packed else 60
    for kept in (*range(1, ends), len(second) - 30, len(second) - 5, len(second) - 1):
        recording = Recording(save(first + second[:kept]))
        assert recording.hosts() == ["a.example", "b.example"], kept
        assert "ends in the middle of a record" in recording.warning, kept
    assert Recording(save(first + second)).warning == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not a WARC"),
        (b"<html>no archive</html>", "not a WARC"),
        (bytes(2000), "not a WARC"),
        (gzip.compress(b"text"), "not a WARC"),
        (packed(WHOLE[0])[:40], "not a WARC|no response"),
        (packed(WHOLE[0]) + b"rubbish" * 99 + packed(*WHOLE), "damaged"),
        (PLAIN(WHOLE[:3]).replace(b"WARC/1.", b"WRAC/1.", 2).replace(b"WRAC/1.", b"WARC/1.", 1), "damaged"),
        (gzip.compress(PLAIN(WHOLE)), "as a whole"),
        (gzip.compress(PLAIN(WHOLE[:2])), "as a whole"),
        (packed(WHOLE[7], WHOLE[13]), "no response"),
    ],
    ids=itertools.count(),
)
def test_files_that_cannot_be_served_are_errors(save: Save, content: bytes, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        Recording(save(content))


def test_damage_in_the_middle_is_an_error(save: Save) -> None:
    content = bytearray(packed(*WHOLE * 20))
    content[len(content) // 2 : len(content) // 2 + 9] = b"\xff" * 9
    with pytest.raises(BadInput, match="damaged at or after record"):
        Recording(save(bytes(content)))


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(BadInput, match="Cannot read"):
            Recording(path)


def test_a_file_that_vanishes_does_not_break_the_server(save: Save) -> None:
    recording = Recording(save(packed(*WHOLE)))
    recording.path.unlink()
    assert ask(recording, "a.example", "/").status == 502


def test_progress_is_reported(save: Save) -> None:
    reports: list[tuple[int, int]] = []
    path = save(packed(*WHOLE))
    Recording(path, progress=lambda read, size: reports.append((read, size)))
    size = path.stat().st_size
    assert reports == [(0, size), (size, size)]


@pytest.mark.filterwarnings(
    "ignore:Unclosed file:ResourceWarning"
)  # warcio leaves closing to the garbage collector
@pytest.mark.parametrize("gzipped", [True, False])
def test_files_of_another_writer_are_served(save: Save, gzipped: bool) -> None:
    sink = io.BytesIO()
    writer = WARCWriter(sink, gzip=gzipped)
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    for name in "ab":
        body = io.BytesIO(name.encode() * 1000)
        writer.write_record(
            writer.create_warc_record(
                f"http://{name}.example/", "response", payload=body, http_headers=headers
            )
        )
    recording = Recording(save(sink.getvalue()))
    assert recording.warning == ""
    assert ask(recording, "b.example", "/").body == b"b" * 1000


@pytest.mark.slow
def test_the_webkb_recording_is_served(data: Path) -> None:
    """8,223 records; nine URLs differ from another only by an empty path, a fragment or port 80."""
    recording = Recording(data / "webkb" / "webkb.warc.gz")
    assert len(recording) == 8214
    assert len(recording.hosts()) == 589
    with serving(recording) as lab:
        line = http.client.HTTPConnection("127.0.0.1", lab.port)
        line.request("GET", "http://cs.cornell.edu/Info/Courses/Current/CS415/CS414.html")
        response = line.getresponse()
        assert response.status == 200
        assert len(response.read()) == 1973
        line.close()
