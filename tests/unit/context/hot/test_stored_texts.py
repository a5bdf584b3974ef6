"""Texts are stored in segments: merged without loss, replaced as a whole, and refused if they are damaged."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.unit.context.hot.planted_texts import STORY, make_rows, store_rows

from gossamer.context.hot.stored_texts import FOLDER, add_segment, lock_texts, open_texts
from gossamer.context.hot.text_segment import hash_name, make_segment
from gossamer.errors import BadInput


def test_merged_segments_hold_what_their_parts_held(tmp_path: Path) -> None:
    parts = [make_rows(day, 5, story=1) for day in (3, 1, 2, 0, 5)]
    texts = store_rows(tmp_path, *parts)
    assert len(texts.segments) < len(parts)
    rows = [row for part in parts for row in part]
    expected = {row.page: {hash_name(term) for term in row.terms} for row in rows}
    held = {}
    for segment in texts.segments:
        assert list(segment.days) == sorted(segment.days)
        for at, page in enumerate(segment.pages.tolist()):
            held[page] = set(segment.terms[segment.starts[at] : segment.starts[at + 1]].tolist())
    assert held == expected
    words = texts.find_words(np.array(sorted(map(hash_name, STORY)), np.uint32))
    assert set(words.values()) == STORY
    versions = texts.find_versions(np.array([rows[0].page, 12345], np.int64))
    assert versions.digests.tolist() == [rows[0].page, 0]
    assert versions.days.tolist() == [rows[0].date.day, 0]
    assert texts.find_sentences([rows[0].page, 12345]) == {rows[0].page}
    assert sorted(path.name for path in (tmp_path / FOLDER).glob("segment-*")) == sorted(
        texts.listed.segments
    )


def test_the_last_version_of_a_page_counts(tmp_path: Path) -> None:
    (row,) = make_rows(1, 1)
    texts = store_rows(tmp_path, [row])
    texts = add_segment(texts, make_segment([], {row.page: (77, row.date.day + 1)}, set(), []))
    assert texts.find_versions(np.array([row.page], np.int64)).digests.tolist() == [77]


def test_an_unfinished_refresh_is_not_shown(tmp_path: Path) -> None:
    texts = store_rows(tmp_path, make_rows(0, 3))
    rows = make_rows(1, 4)
    add_segment(texts, make_segment(rows, {}, set(), []))
    assert len(open_texts(tmp_path)) == 3
    assert len(open_texts(tmp_path, unfinished=True)) == 7


def test_near_copies_are_found(tmp_path: Path) -> None:
    texts = store_rows(tmp_path, make_rows(0, 1))
    texts = add_segment(texts, make_segment([], {1: (1, 1)}, set(), [-(1 << 60), 0b1011]))
    assert texts.has_near_copy(0b1011 ^ (1 << 40) ^ (1 << 20))
    assert texts.has_near_copy(-(1 << 60) ^ 1)
    assert not texts.has_near_copy(0b1011 ^ 0x70F0_0F00_F0F0_0FF0)


def test_damage_is_told_in_one_sentence(tmp_path: Path) -> None:
    texts = store_rows(tmp_path, make_rows(0, 3))
    path = tmp_path / FOLDER / texts.listed.segments[0] / "terms.npy"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadInput, match="is damaged"):
        open_texts(tmp_path)
    shutil.rmtree(path.parent)
    with pytest.raises(BadInput, match="is damaged"):
        open_texts(tmp_path)
    (tmp_path / FOLDER / "texts.json").write_bytes(b"{")
    with pytest.raises(BadInput, match="is damaged"):
        open_texts(tmp_path)


def test_texts_of_another_format_are_read_anew(tmp_path: Path) -> None:
    store_rows(tmp_path, make_rows(0, 3))
    (tmp_path / FOLDER / "texts.json").write_bytes(b'{"format":99,"segments":["segment-1"]}')
    assert len(open_texts(tmp_path)) == 0


def test_one_process_at_a_time_adds_texts(tmp_path: Path) -> None:
    with lock_texts(tmp_path), pytest.raises(BadInput, match="another process"), lock_texts(tmp_path):
        pass
