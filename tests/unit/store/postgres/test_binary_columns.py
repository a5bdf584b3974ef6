"""Columns are packed as PostgreSQL reads them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.store.postgres.binary_columns import (
    Blobs,
    Floats,
    Int2s,
    Int8s,
    Texts,
    escape_nul,
    pack_array,
    pack_arrays,
    pack_copy,
    restore_nul,
    restore_row,
)


def test_an_array_has_its_type_its_length_and_its_elements() -> None:
    packed = pack_array(Int8s, [1, -(2**63)])
    assert type(packed) is Int8s
    assert struct.unpack(">iiiiiiqiq", packed) == (1, 1, 20, 2, 1, 8, 1, 8, -(2**63))
    assert struct.unpack(">iiiii", pack_array(Texts, [])) == (1, 1, 25, 0, 1)


def test_bytes_may_be_null() -> None:
    assert pack_array(Blobs, [b"ab", None])[20:] == struct.pack(">i2si", 2, b"ab", -1)


def test_rows_become_columns() -> None:
    ids, names = pack_arrays([Int2s, Texts], [(1, "a"), (2, "ü")])
    assert ids[20:] == struct.pack(">ihih", 2, 1, 2, 2)
    assert names[20:] == struct.pack(">i1si2s", 1, b"a", 2, "ü".encode())
    assert [len(each) for each in pack_arrays([Int2s, Texts], [])] == [20, 20]


def test_copied_rows_have_a_head_and_an_end() -> None:
    packed = pack_copy([Int8s, Floats], [(5, 0.5), (6, 1)])
    assert packed[:19] == b"PGCOPY\n\xff\r\n\0" + bytes(8)
    assert struct.unpack(">hiqidhiqidh", packed[19:]) == (2, 8, 5, 8, 0.5, 2, 8, 6, 8, 1.0, -1)


@pytest.mark.parametrize(
    "pack", [lambda value: pack_array(Int8s, [value]), lambda value: pack_copy([Int8s], [(value,)])]
)
def test_a_number_that_does_not_fit_is_refused(pack: object) -> None:
    with pytest.raises(OverflowError):
        pack(2**63)  # type: ignore[operator]


@given(st.text(st.sampled_from("ab\0\x10@é")))
def test_texts_survive_without_nul(text: str) -> None:
    escaped = escape_nul(text)
    assert "\0" not in escaped
    assert restore_nul(escaped) == text


def test_only_texts_of_a_row_are_restored() -> None:
    assert restore_row((1, escape_nul("a\0b"), b"\x10@", None)) == (1, "a\0b", b"\x10@", None)
