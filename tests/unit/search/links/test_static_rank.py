from pathlib import Path

import numpy as np
from tests.unit.search.texts import library

from gossamer.graph.graph import from_edges
from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import (
    RANK_OF_AVERAGE,
    make_ranks,
    rank_by_links,
    read_ranks,
    write_ranks,
)


def test_rank_counts_doublings_of_the_average_share() -> None:
    ranks = make_ranks([7, -3, 5], [1 / 3, 1 / 3 * 3, 0.0], [4, 2**40, 0])
    assert ranks.look_up("rank", [7, -3, 5]) == [RANK_OF_AVERAGE, 2 * RANK_OF_AVERAGE, 0]
    assert ranks.look_up("in_links", [5, 7, -3]) == [0, 4, 2**31 - 1]
    assert ranks.look_up("rank", [6, 99, -99]) == [0, 0, 0]


def test_ranks_are_written_and_read(tmp_path: Path) -> None:
    assert read_ranks(tmp_path).look_up("rank", [1]) == read_ranks(None).look_up("rank", [1]) == [0]
    first = make_ranks([1], [1.0], [9])
    write_ranks(first, tmp_path)
    held = read_ranks(tmp_path)
    write_ranks(make_ranks([1, 2], [0.5, 0.5], [3, 4]), tmp_path)
    assert held.look_up("in_links", [1, 2]) == [9, 0]
    assert read_ranks(tmp_path).look_up("in_links", [1, 2]) == [3, 4]
    assert [path.name for path in tmp_path.iterdir()] == ["standing"]


def test_an_index_looks_up_ranks(tmp_path: Path) -> None:
    index = library()
    index.set_ranks(make_ranks([0, 1], [0.75, 0.25], [2, 1]))
    hits = index.searcher.search(tantivy.Query.all_query(), limit=10).hits
    places = [place for _, place in hits]
    ids = index.read_numbers("id", places)
    found = dict(zip(ids, index.look_up_ranks("in_links", ids), strict=True))
    assert found == {0: 2, 1: 1, 2: 0, 3: 0, 4: 0}
    Index(tmp_path).set_ranks(make_ranks([5], [1.0], [1]))
    assert Index(tmp_path).look_up_ranks("rank", [5, 6]) == [RANK_OF_AVERAGE, 0]


def test_linked_pages_rank_higher() -> None:
    ids = np.array([100, 200, 300], np.int64)
    ranks = rank_by_links(ids, from_edges(np.array([0, 1, 0]), np.array([2, 2, 2]), 3))
    first, second, third = ranks.look_up("rank", ids)
    assert first == second < third
    assert ranks.look_up("in_links", ids) == [0, 0, 2]
    empty = rank_by_links(np.empty(0, np.int64), from_edges(np.empty(0, np.int32), np.empty(0, np.int32), 0))
    assert empty.look_up("rank", [1]) == [0]
