"""Reads the result of the last check of a web, without writing anything."""

import sqlite3
from pathlib import Path

import msgspec

from gossamer.link_check.facts.facts_file import read_note
from gossamer.link_check.problem import CheckResult

RESULT_NOTE = "result"
_DECODER = msgspec.msgpack.Decoder(CheckResult)


def read_last_result(web: Path) -> CheckResult | None:
    """Return the result of the last check; None if there was none, or another version wrote it."""
    try:
        kept = read_note(web, RESULT_NOTE)
    except sqlite3.Error:
        return None
    return decode_result(kept)


def decode_result(kept: bytes | None) -> CheckResult | None:
    """Return a result as it was kept; None if it cannot be read."""
    try:
        return _DECODER.decode(kept) if kept else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
