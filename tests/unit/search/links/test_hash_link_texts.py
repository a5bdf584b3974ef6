import string
from collections import Counter

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.links.hash_link_texts import count_texts, hash_texts, unite_links

TEXTS = st.lists(
    st.text(max_size=40) | st.sampled_from(["", "x" * 31, "x" * 32, "ü" * 200, "x" * 70_000]), max_size=40
)
SMALL_ASCII = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@given(st.lists(TEXTS, max_size=5))
def test_each_text_has_its_own_hash(rows: list[list[str]]) -> None:
    texts = [text for row in rows for text in row]
    found = hash_texts([msgspec.msgpack.encode(row) for row in rows], len(texts)).tolist()
    folded = [text.translate(SMALL_ASCII) for text in texts]
    numbers = dict(zip(folded, found, strict=True))
    assert [numbers[text] for text in folded] == found
    assert len(set(numbers.values())) == len(numbers)
    assert all((number == 0) == (text == "") for text, number in numbers.items())


def test_long_rows_are_read() -> None:
    for size in (15, 16, 70_000):
        assert (
            len(set(hash_texts([msgspec.msgpack.encode([str(n) for n in range(size)])], size).tolist()))
            == size
        )


@pytest.mark.parametrize(
    "packed", [b"", b"\x91", b"\x91\xa5abc", b"\x91\x01", b"\xdc\x00", b"\x92\xa1a\xd9", b"\x80"]
)
def test_damaged_texts_are_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="packed texts are damaged"):
        hash_texts([packed], 2)
    with pytest.raises(ValueError, match="packed texts are damaged"):
        hash_texts([msgspec.msgpack.encode(["a"])], 2)


TRIPLES = st.lists(
    st.tuples(st.integers(-2, 2), st.integers(-(2**63), -(2**63) + 2), st.integers(-1, 1)), max_size=60
)


@given(TRIPLES)
def test_equal_links_are_united(triples: list[tuple[int, int, int]]) -> None:
    columns = [
        np.array([triple[at] for triple in triples], kind) for at, kind in enumerate(("i8", "i8", "i4"))
    ]
    firsts, uses = unite_links(*columns)
    found = {triples[first]: times for first, times in zip(firsts.tolist(), uses.tolist(), strict=True)}
    assert found == Counter(triples)
    assert firsts.tolist() == sorted(triples.index(triple) for triple in found)


def test_counters_stop_at_255() -> None:
    counters = np.zeros(4, np.uint8)
    count_texts(np.array([5] * 300 + [-1, 2], np.int64), counters)
    assert counters.tolist() == [0, 255, 1, 1]
