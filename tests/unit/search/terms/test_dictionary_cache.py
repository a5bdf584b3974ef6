"""Dictionaries are kept in the user's cache folder, and read without it all the same."""

import lzma
from pathlib import Path

import pytest

from gossamer.search.terms.dictionary_cache import read_prepared

CONTENT = b"forms " * 10_000


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "xx.plzma"
    path.write_bytes(lzma.compress(CONTENT))
    return path


def list_kept(packed: Path) -> list[Path]:
    return sorted((packed.parent / "cache").rglob("*.checked"))


def read_packed(path: Path) -> bytes:
    return read_prepared(path, "forms", lzma.decompress)


def refuse(_: bytes) -> bytes:
    raise AssertionError("unpacked again")


def test_a_file_is_unpacked_once(packed: Path) -> None:
    assert read_packed(packed) == CONTENT
    assert len(list_kept(packed)) == 1
    assert read_prepared(packed, "forms", refuse) == CONTENT


def test_what_is_made_of_a_file_is_kept_by_kind(packed: Path) -> None:
    assert read_packed(packed) == CONTENT
    assert read_prepared(packed, "costs", lambda _: b"costs") == b"costs"
    assert len(list_kept(packed)) == 2
    assert read_packed(packed) == CONTENT


def test_another_version_takes_the_place_of_the_one_before(packed: Path) -> None:
    read_packed(packed)
    before = list_kept(packed)
    packed.write_bytes(lzma.compress(CONTENT * 2))
    assert read_packed(packed) == CONTENT * 2
    assert len(list_kept(packed)) == 1
    assert list_kept(packed) != before


@pytest.mark.parametrize("cut", [slice(0), slice(5), slice(30), slice(-4), slice(1, None)])
def test_a_damaged_copy_is_made_anew(packed: Path, cut: slice) -> None:
    read_packed(packed)
    (kept,) = list_kept(packed)
    whole = kept.read_bytes()
    kept.write_bytes(whole[cut])
    assert read_packed(packed) == CONTENT
    assert kept.read_bytes() == whole


def test_a_changed_byte_is_noticed(packed: Path) -> None:
    read_packed(packed)
    (kept,) = list_kept(packed)
    whole = kept.read_bytes()
    for at in range(0, len(whole), 5_003):
        kept.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert read_packed(packed) == CONTENT


def test_no_cache_can_be_written(packed: Path) -> None:
    (packed.parent / "cache").write_bytes(b"a file where a folder should be")
    assert read_packed(packed) == CONTENT
    assert read_packed(packed) == CONTENT


def test_a_user_without_a_home(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", fail)
    assert read_packed(packed) == CONTENT
    assert not list_kept(packed)


def test_a_missing_file_is_an_error(packed: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        read_packed(packed.with_name("missing.plzma"))
