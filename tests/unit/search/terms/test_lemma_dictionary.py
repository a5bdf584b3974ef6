import lzma
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.terms import base_forms
from gossamer.search.terms.base_forms import read_dictionary
from gossamer.search.terms.lemma_dictionary import LemmaDictionary, prepare_dictionary

# By hand: each entry names how much it shares with the one before, what is new, how much of it the base form drops, and what it adds.
ENTRIES = (
    b"\x00\x04mice\xff\x05mouse",  # a whole base form
    b"\x01\x04ouse\x00\x00",  # mouse: its own base form
    b"\x05\x01s\x01\x00",  # mouses: mouse
    b"\x05\x02sy\xfe",  # mousesy: the base form of the entry before
)
HEADER = b"SMFC1\x00"


def read_packed(data: bytes) -> LemmaDictionary:
    return LemmaDictionary(prepare_dictionary(data))


def test_a_packed_dictionary_is_read() -> None:
    found = read_packed(HEADER + bytes([len(ENTRIES)]) + b"".join(ENTRIES[:3]) + b"\x06\x01y\xfe")
    assert [found.get(word) for word in ("mice", "mouse", "mouses", "mousesy")] == ["mouse"] * 4
    assert [found.get(word) for word in ("", "a", "mic", "mous", "zebra", "mouse" * 400)] == [None] * 6
    assert found.forms == 4


def pack_number(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number % 128 + 128]) + pack_number(number // 128)


def count_same(one: bytes, other: bytes) -> int:
    """Return how many bytes at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def pack_forms(forms: dict[str, str]) -> bytes:
    """Pack forms with their base forms as the package does."""
    packed = HEADER + pack_number(len(forms))
    before, base_before = b"", None
    for form, base in sorted((form.encode(), base.encode()) for form, base in forms.items()):
        shared = count_same(before, form)
        packed += pack_number(shared) + pack_number(len(form) - shared) + form[shared:]
        same = count_same(form, base)
        cut = bytes([len(form) - same]) + pack_number(len(base) - same) + base[same:]
        packed += b"\xfe" if base == base_before else cut
        before, base_before = form, base
    return packed


WORDS = st.text("abé", min_size=1, max_size=7)


@given(st.dictionaries(WORDS, WORDS, max_size=150), st.lists(WORDS, max_size=50))
def test_words_are_found_as_in_a_dict(forms: dict[str, str], others: list[str]) -> None:
    found = read_packed(pack_forms(forms))
    assert {word: found.get(word) for word in (*forms, *others)} == {
        word: forms.get(word) for word in (*forms, *others)
    }


@given(st.integers(0, 40), st.binary(max_size=40))
def test_damaged_dictionaries_are_refused_or_read(count: int, rest: bytes) -> None:
    with suppress(ValueError):
        found = read_packed(HEADER + bytes([count]) + rest).get("mouse")
        assert found is None or isinstance(found, str)


@pytest.mark.parametrize("data", [b"", b"SMFC2\x00\x00", b"SMFC1\x01\x00"])
def test_another_format_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="format"):
        prepare_dictionary(data)


@pytest.mark.parametrize("cut", [slice(0), slice(10), slice(-1), slice(1, None)])
def test_only_prepared_dictionaries_are_looked_up(cut: slice) -> None:
    prepared = prepare_dictionary(pack_forms({"mice": "mouse"}))
    with pytest.raises(ValueError, match="prepared"):
        LemmaDictionary(prepared[cut])


def test_every_entry_is_found() -> None:
    dictionary = read_dictionary("en")
    assert dictionary is not None
    assert dictionary.forms > 150_000
    words = {"mice": "mouse", "went": "go", "a": "a", "zymurgy": "zymurgy", "qwxzy": None}
    assert {word: dictionary.get(word) for word in words} == words


def test_without_the_package_there_is_no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_forms, "find_spec", lambda _: None)
    assert read_dictionary.__wrapped__("en") is None
    assert base_forms.measure_dictionaries() == 0


def test_a_dictionary_in_another_format_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(lzma, "decompress", lambda _: b"another format")
    assert read_dictionary.__wrapped__("en") is None
