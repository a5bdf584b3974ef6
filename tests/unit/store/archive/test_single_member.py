"""WARC files that were compressed as a whole are noticed, unpacked and read; damage in them is told."""

import gzip
import random
from pathlib import Path

import pytest

from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.archive.single_member import is_single_member

DATE = "2026-03-20T10:00:00Z"


def make_record(kind: str, number: int, block: bytes, **more: str) -> bytes:
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-0000-0000-{number:012}>",
        "WARC-Date": DATE,
        "Content-Length": str(len(block)),
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def make_page(number: int, text: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + text
    url = {"WARC-Target-URI": f"https://a.example/{number}"}
    return make_record("response", number, block, **url)


def make_file(first_bytes: int = 20, pages: int = 30) -> list[bytes]:
    """Return the records of a file: a first one of some length, pages, and a revisit of the first page."""
    some = random.Random(1)
    texts = [some.randbytes(2_000).hex().encode() for _ in range(pages)]
    records = [make_record("warcinfo", 0, bytes(first_bytes))]
    records += [make_page(number, b"<p>" + text) for number, text in enumerate(texts, 1)]
    again = {"WARC-Target-URI": "https://a.example/1", "WARC-Refers-To-Target-URI": "https://a.example/1"}
    again |= {"WARC-Refers-To-Date": DATE, "WARC-Profile": "identical-payload-digest"}
    return [*records, make_record("revisit", 99, b"", **again)]


@pytest.mark.parametrize("first_bytes", [20, 5_000_000])
def test_a_file_that_was_compressed_as_a_whole_is_read_like_its_records(
    tmp_path: Path, first_bytes: int
) -> None:
    records = make_file(first_bytes)
    (tmp_path / "whole.warc.gz").write_bytes(gzip.compress(b"".join(records), 1))
    (tmp_path / "records.warc.gz").write_bytes(b"".join(gzip.compress(one, 1) for one in records))
    assert is_single_member(tmp_path / "whole.warc.gz")
    assert not is_single_member(tmp_path / "records.warc.gz")
    whole, apart = (
        ForeignWarcs([tmp_path / f"{name}.warc.gz"], scratch=tmp_path) for name in ("whole", "records")
    )
    assert [(one.url, one.body) for one in whole] == [(one.url, one.body) for one in apart]
    assert (whole.damage, apart.damage) == ([], [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records.warc.gz", "whole.warc.gz"]


def test_what_precedes_damage_is_read_and_the_rest_is_told(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(make_file()), 1)
    path = tmp_path / "cut.warc.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found = ForeignWarcs([path], scratch=tmp_path)
    assert 10 < len(list(found)) < 20
    assert "compressed as a whole and is damaged" in found.damage[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"WARC/1.0\r\n",
        b"\x1f\x8b\x08",
        b"\x1f\x8b\x08" + b"x" * 500,
        gzip.compress(b"no record"),
        gzip.compress(make_page(1, b"one")),
        gzip.compress(make_page(1, b"one"))[:-9],
        gzip.compress(b"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n"),
        make_page(1, b"one") * 2,
    ],
    ids=range(9),
)
def test_other_files_are_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.warc.gz").write_bytes(content)
    assert not is_single_member(tmp_path / "other.warc.gz")
    assert not is_single_member(tmp_path / "missing.warc.gz")
