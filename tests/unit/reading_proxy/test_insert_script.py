"""A tag is inserted at the beginning of the head, however a page is cut into pieces, and every other byte stays."""

import gzip
import itertools
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.reading_proxy.addon.insert_script import ScriptInserter, find_place
from gossamer.reading_proxy.addon.page_rewriters import PageRewriters, ProxiedPage, StreamRewriter

TAG = b"<script src=x></script>"
PAGE = b'<!doctype html>\n<!-- <head> --><html lang="a>b">\n<head class=x><title>T</title></head><body>text</body></html>'


def insert(pieces: list[bytes], is_compressed: bool = False, has_charset: bool = True) -> bytes:
    inserter = ScriptInserter(TAG, is_compressed, has_charset)
    sent = [part for piece in [*pieces, b""] for part in inserter(piece)]
    assert all(sent)
    return b"".join(sent)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<!doctype html><html><head>", b"<title>x</title>"),
        (b"<head>", b""),
        (b"\xef\xbb\xbf<!DOCTYPE html>\r\n", b"<title>x</title>"),
        (b"", b"plain text"),
        (b"", b"<p>text"),
        (b"<html>", b"<body>text"),
        (b"<?xml version='1.0'?><!doctype html><html>", b"<header>not a head</header>"),
        (b"<!--><!doctype html>", b"<title>x</title>"),
        (b"<!-- <html><head> -->", b"<b>x</b>"),
        (b"<HTML\nlang='<head>'><HEAD\tid=a>", b"<title>x</title>"),
    ],
)
def test_the_place_is_the_beginning_of_the_head(before: bytes, after: bytes) -> None:
    assert insert([before + after]) == before + TAG + after


@given(st.lists(st.integers(0, len(PAGE)), max_size=8))
def test_the_same_comes_out_however_a_page_is_cut(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(PAGE)]
    pieces = [PAGE[start:end] for start, end in itertools.pairwise(edges) if start < end]
    assert insert(pieces) == insert([PAGE]) == PAGE.replace(b"<title>", TAG + b"<title>")


@given(st.binary(max_size=300))
def test_any_bytes_stay_as_they_are_but_for_the_tag(page: bytes) -> None:
    assert insert([page]).replace(TAG, b"", 1) == page


@given(st.lists(st.integers(0, 200), max_size=4))
def test_a_packed_page_is_unpacked_however_it_is_cut(cuts: list[int]) -> None:
    packed = gzip.compress(PAGE)
    edges = [0, *sorted(min(cut, len(packed)) for cut in cuts), len(packed)]
    pieces = [packed[start:end] for start, end in itertools.pairwise(edges) if start < end]
    assert insert(pieces, is_compressed=True) == insert([PAGE])


def test_two_packed_parts_are_one_page() -> None:
    assert (
        insert([gzip.compress(PAGE) + gzip.compress(b"more")], is_compressed=True) == insert([PAGE]) + b"more"
    )


def test_a_bomb_is_passed_on_in_pieces() -> None:
    inserter = ScriptInserter(TAG, is_compressed=True, has_charset=True)
    packer = zlib.compressobj(9, wbits=31)
    packed = packer.compress(b"<p>" + bytes(20_000_000)) + packer.flush()
    pieces = [*inserter(packed), *inserter(b"")]
    assert max(map(len, pieces)) <= 262_144 + len(TAG)
    assert sum(map(len, pieces)) == 20_000_003 + len(TAG)


def test_damage_ends_a_packed_page() -> None:
    assert insert([b"no gzip at all"], is_compressed=True) == b""


@pytest.mark.parametrize("page", [b"\xff\xfe<\0h\0", b"", b"<!-- no end", b"<html lang='"])
def test_what_is_not_understood_stays(page: bytes) -> None:
    assert insert([page]) == page


def test_a_head_that_does_not_begin_is_not_waited_for() -> None:
    inserter = ScriptInserter(TAG, is_compressed=False, has_charset=True)
    assert list(inserter(b"<!--" + b"x" * 20_000))
    assert list(inserter(b"--><head>")) == [b"--><head>"]


def test_a_policy_in_the_page_leaves_it_alone() -> None:
    page = b'<html><head><meta http-equiv="Content-Security-Policy" content="frame-src \'none\'">'
    assert insert([page]) == page


def test_a_character_set_stays_where_browsers_look_for_it() -> None:
    page = b"<html><head><!--" + b"x" * 990 + b"--><meta charset=utf-8>"
    assert insert([page], has_charset=False) == page
    assert insert([page]) != page
    near = b"<html><head><meta charset=utf-8>" + b"x" * 2_000
    assert TAG in insert([near], has_charset=False)


def test_a_short_beginning_is_waited_for() -> None:
    assert find_place(b"<htm") is None
    assert find_place(b"<html><hea") is None
    assert find_place(b"<p>", is_whole=True) == 0


def _write_rewriters(folder: Path, *bodies: str) -> StreamRewriter:
    files = []
    for at, body in enumerate(bodies):
        files.append(folder / f"rewriter{at}.py")
        files[-1].write_text(f"def rewrite(page):\n    return lambda piece: {body}\n")
    rewriter = PageRewriters(files).begin(ProxiedPage("http://a.example/", {}))
    assert rewriter is not None
    return rewriter


@pytest.mark.parametrize("tag", [TAG, b""])
def test_pages_are_rewritten_before_the_tag_is_inserted(tmp_path: Path, tag: bytes) -> None:
    rewriter = _write_rewriters(tmp_path, "piece.upper()", "piece or b'<p>end'")
    inserter = ScriptInserter(tag, True, True, rewriter)
    sent = b"".join(part for piece in (gzip.compress(PAGE), b"") for part in inserter(piece))
    assert sent == PAGE.upper().replace(b"<HEAD CLASS=X>", b"<HEAD CLASS=X>" + tag) + b"<p>end"


def test_a_rewriter_that_fails_is_left_out_for_the_rest_of_its_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rewriter = _write_rewriters(tmp_path, "1 / 0", "piece.upper()")
    assert (rewriter.rewrite(b"one "), rewriter.rewrite(b"two"), rewriter.end()) == (b"ONE ", b"TWO", b"")
    assert [one.message for one in caplog.records] == [
        "rewriter0.py failed, and the rest of the page passes without it: ZeroDivisionError: division by zero"
    ]
