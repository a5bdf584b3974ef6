from pathlib import Path

import msgspec
import numpy as np

from gossamer.search.links import hash_link_texts
from gossamer.search.links.generic_anchor_texts import GenericTexts, read_generic_texts, write_generic_texts

TEXTS = ["next", "click here", "weiter"]


def test_generic_texts_are_recognised_in_any_case(tmp_path: Path) -> None:
    hashes = np.sort(hash_link_texts.hash_texts([msgspec.msgpack.encode(TEXTS)], len(TEXTS)))
    write_generic_texts(GenericTexts(hashes), tmp_path)
    assert read_generic_texts(tmp_path).select(["Next", "Haydn", "WEITER", ""]) == {"Next", "WEITER"}


def test_an_index_without_the_file_has_none(tmp_path: Path) -> None:
    for folder in (tmp_path, None):
        assert read_generic_texts(folder).select(["next"]) == set()
    assert read_generic_texts(None).select([]) == set()
