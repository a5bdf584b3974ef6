from pathlib import Path

import msgspec
import numpy as np

from gossamer.search.links import hash_link_texts
from gossamer.search.links.generic_anchor_texts import EmptyTexts, keep_empty_texts, read_empty_texts

TEXTS = ["next", "click here", "weiter"]


def test_they_are_known_again_whatever_their_capitals(tmp_path: Path) -> None:
    hashes = np.sort(hash_link_texts.hashes([msgspec.msgpack.encode(TEXTS)], len(TEXTS)))
    keep_empty_texts(EmptyTexts(hashes), tmp_path)
    assert read_empty_texts(tmp_path).among(["Next", "Haydn", "WEITER", ""]) == {"Next", "WEITER"}


def test_an_index_of_before_knows_none(tmp_path: Path) -> None:
    for folder in (tmp_path, None):
        assert read_empty_texts(folder).among(["next"]) == set()
    assert read_empty_texts(None).among([]) == set()
