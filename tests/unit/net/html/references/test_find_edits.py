"""Addresses that are known become edits or stay; all others are listed."""

from gossamer.net.html.references.find_edits import find_edits
from gossamer.net.html.references.reference_kinds import KINDS

KNOWN = {kind: {b"moved": b"there", b"same": None} for kind in KINDS}


def apply(source: bytes, has_base: bool = False) -> tuple[bytes, list[str]]:
    edits, unknown, _, _ = find_edits(source, KNOWN, has_base)
    for start, end, new in reversed(edits):
        source = source[:start] + new + source[end:]
    return source, [one.url for one in unknown]


def test_known_addresses_change_up_to_their_fragment() -> None:
    source = b"<a href='moved#x'><a href=moved><img src=\"moved\"><a href=same><a href='same#y'>"
    expected = b"<a href='there#x'><a href=there><img src=\"there\"><a href=same><a href='same#y'>"
    assert apply(source) == (expected, [])


def test_others_are_listed() -> None:
    source = (
        b"<a href=new#x><a href='mo&#118;ed'><a href=?moved><p style='background: url(moved)'><a href=''>"
    )
    assert apply(source) == (source, ["new#x", "moved", "?moved", "moved", ""])


def test_a_fragment_alone_stays_unless_there_is_a_base() -> None:
    assert apply(b"<a href=#x>") == (b"<a href=#x>", [])
    assert apply(b"<a href=#x>", has_base=True) == (b"<a href=#x>", ["#x"])


def test_the_base_and_harmful_attributes_are_reported() -> None:
    assert find_edits(b"<base href=/b/><a href=x>", KNOWN)[2:] == ("/b/", False)
    for harmful in (
        b"<script src=x INTEGRITY=sha256-x>",
        b"<img crossorigin src=x>",
        b"<meta http-equiv=Content-Security-Policy content=x>",
    ):
        assert find_edits(harmful, KNOWN)[3]
    assert not find_edits(b"<!-- <script integrity=x> --><meta http-equiv=refresh content=1>", KNOWN)[3]
