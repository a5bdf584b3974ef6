from pathlib import Path

import numpy as np
from tests.unit.search.texts import library

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import (
    RANK_OF_AVERAGE,
    keep_standing,
    read_standing,
    standing_by_links,
    standing_of,
)


def test_rank_counts_doublings_of_the_average_share() -> None:
    standing = standing_of([7, -3, 5], [1 / 3, 1 / 3 * 3, 0.0], [4, 2**40, 0])
    assert standing.numbers("rank", [7, -3, 5]) == [RANK_OF_AVERAGE, 2 * RANK_OF_AVERAGE, 0]
    assert standing.numbers("in_links", [5, 7, -3]) == [0, 4, 2**31 - 1]
    assert standing.numbers("rank", [6, 99, -99]) == [0, 0, 0]


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    assert read_standing(tmp_path).numbers("rank", [1]) == read_standing(None).numbers("rank", [1]) == [0]
    first = standing_of([1], [1.0], [9])
    keep_standing(first, tmp_path)
    held = read_standing(tmp_path)
    keep_standing(standing_of([1, 2], [0.5, 0.5], [3, 4]), tmp_path)
    assert held.numbers("in_links", [1, 2]) == [9, 0]
    assert read_standing(tmp_path).numbers("in_links", [1, 2]) == [3, 4]
    assert [path.name for path in tmp_path.iterdir()] == ["standing"]


def test_an_index_tells_how_pages_stand(tmp_path: Path) -> None:
    index = library()
    index.take_standing(standing_of([0, 1], [0.75, 0.25], [2, 1]))
    hits = index.searcher.search(tantivy.Query.all_query(), limit=10).hits
    places = [place for _, place in hits]
    ids = index.numbers("id", places)
    told = dict(zip(ids, index.standing("in_links", ids), strict=True))
    assert told == {0: 2, 1: 1, 2: 0, 3: 0, 4: 0}
    Index(tmp_path).take_standing(standing_of([5], [1.0], [1]))
    assert Index(tmp_path).standing("rank", [5, 6]) == [RANK_OF_AVERAGE, 0]


def test_who_is_linked_to_stands_higher() -> None:
    ids = np.array([100, 200, 300], np.int64)
    standing = standing_by_links(ids, np.array([0, 1, 0], np.int32), np.array([2, 2, 2], np.int32))
    first, second, third = standing.numbers("rank", ids)
    assert first == second < third
    assert standing.numbers("in_links", ids) == [0, 0, 2]
    nobody = standing_by_links(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    assert nobody.numbers("rank", [1]) == [0]
