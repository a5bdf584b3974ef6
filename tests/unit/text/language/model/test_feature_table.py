"""Packed features are found again, and damaged tables are refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.text.language.model.feature_table import find_entries, hash_word, make_table, to_gram_key
from gossamer.text.language.model.pack_table import Entries, pack_table

ENTRIES = st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), min_size=1, max_size=20)
# Fingerprints are unique, since features with equal ones could be confused.
FEATURES = st.dictionaries(st.integers(0, 2**16 - 1), st.tuples(st.integers(0, 2**48 - 1), ENTRIES)).map(
    lambda found: {fingerprint << 48 | low: entries for fingerprint, (low, entries) in found.items()}
)


@pytest.mark.slow
@given(features=FEATURES)
@settings(max_examples=30, deadline=None)
def test_packed_features_are_found(features: dict[int, list[tuple[int, int]]]) -> None:
    rows = [(key, *entry) for key, entries in features.items() for entry in entries]
    keys, languages, values = (
        np.array([row[at] for row in rows], dtype=kind)
        for at, kind in enumerate((np.uint64, np.uint8, np.uint8))
    )
    parts = pack_table(Entries(keys, languages, values))
    for key, entries in features.items():
        places = find_entries(parts, key)
        assert places is not None
        assert [(parts.records[at], parts.records[at + 1]) for at in places] == entries


def test_keys_of_words_and_n_grams_differ() -> None:
    assert hash_word([1, 2, 3]) >> 63 == 1
    assert to_gram_key(2**64 - 1) >> 63 == 0


@pytest.mark.parametrize(
    ("starts", "records"),
    [
        ([], b""),
        ([0], b""),
        ([0, 1], b""),
        ([1, 1], b"a"),
        ([0, 0, 0, 0], b""),
    ],
    ids=["nothing", "no bucket", "records are missing", "begins after 0", "no power of two"],
)
def test_starts_and_records_that_do_not_fit_are_refused(starts: list[int], records: bytes) -> None:
    with pytest.raises(ValueError, match="fit"):
        make_table(b"".join(start.to_bytes(4, "little") for start in starts), records)
