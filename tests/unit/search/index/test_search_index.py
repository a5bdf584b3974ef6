import os
from pathlib import Path

import pytest
from tests.unit.search.texts import PAGES, entry, library

from gossamer.errors import BadInput, StoreFailed
from gossamer.search.answers.answer_query import search
from gossamer.search.engine import tantivy
from gossamer.search.index import search_index as indexes
from gossamer.search.index.search_index import Index


def test_put_replaces_the_previous_entry(tmp_path: Path) -> None:
    index = Index(tmp_path / "index")
    writer = index.writer()
    for text in ("before", "after"):
        writer.put(entry(-5, main=text, stamp=len(text)))
        writer.commit()
    assert (index.pages, [found.tolist() for found in index.read_stamps()]) == (1, [[-5], [5]])
    assert search(index, "before").total == 0
    writer.remove(-5)
    writer.commit()
    assert index.pages == 0


def test_the_files_of_an_index_can_be_read_by_those_who_may_enter_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        writer = Index(tmp_path / "index").writer()
        writer.put(entry(1, main="shared"))
        writer.commit()
        writer.close()
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "index").iterdir()}
    assert set(modes.values()) == {0o644}, modes


def test_uncommitted_pages_are_lost(tmp_path: Path) -> None:
    index = Index(tmp_path)
    writer = index.writer()
    writer.put(entry(1, main="kept"))
    writer.commit()
    writer.put(entry(2, main="lost"))
    del writer
    assert Index(tmp_path).read_stamps()[0].tolist() == [1]


def test_stamps_of_many_pages_are_read_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [-(2**63), -5, 0, 7, 2**62, 2**63 - 1]
    index = Index()
    writer = index.writer()
    for number in numbers[::-1]:
        writer.add(entry(number, date_s=0.0, depth=0, stamp=-number if number > -(2**63) else 1))
    writer.commit()
    monkeypatch.setattr(indexes, "_STAMPS_AT_ONCE", 2)
    ids, stamps = index.read_stamps()
    assert ids.tolist() == numbers
    assert stamps.tolist() == [1, *(-number for number in numbers[1:])]


def test_an_index_of_another_format_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Index(tmp_path).writer()
    writer.put(entry(1))
    writer.commit()
    monkeypatch.setattr(indexes, "FORMAT", indexes.FORMAT + 1)
    assert not indexes.exists(tmp_path)
    assert Index(tmp_path).pages == 0


def test_there_is_one_writer_at_a_time(tmp_path: Path) -> None:
    first = Index(tmp_path).writer()
    with pytest.raises(BadInput, match="another process is writing"):
        Index(tmp_path).writer()
    del first


def test_a_damaged_index_says_what_to_do(tmp_path: Path) -> None:
    Index(tmp_path)
    (tmp_path / "meta.json").write_text("{", "utf-8")
    with pytest.raises(StoreFailed, match="build it anew"):
        Index(tmp_path)


def test_languages_are_those_of_most_pages() -> None:
    assert library().languages == ("en", "de", "")
    assert Index().languages == ("",)


def test_lone_surrogates_are_accepted() -> None:
    index = library(entry(77, title="odd \ud800 title", main="peculiar \udfff text"))
    assert [answer.title for answer in search(index, "peculiar").answers] == ["odd ? title"]
    assert index.pages == len(PAGES) + 1


def test_marks_match_by_name_and_with_their_value() -> None:
    index = library(entry(50, marks={"Topic": "Music", "relevance": "0.9"}))
    for mark, pages in {"topic": 1, "topic=music": 1, "topic=art": 0, "relevance=0.9": 1}.items():
        query = tantivy.Query.term_query(index.schema, "marks", mark)
        assert len(index.searcher.search(query).hits) == pages


def test_noarchive_is_stored() -> None:
    index = library(entry(50, main="peculiar", archive=False))
    place = index.searcher.search(tantivy.Query.term_query(index.schema, "words", "peculiar")).hits[0][1]
    assert not index.load_page(place).archive
