"""Any ids are translated to nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.files.node_ids import index_ids, renumber
from gossamer.graph.number_ids import Numbering

ANY = st.one_of(st.integers(-3, 20), st.integers(-(2**63), 2**63 - 1))
LISTS = st.lists(ANY, max_size=50)


def ids(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, np.int64)


@given(st.lists(LISTS, max_size=5), LISTS)
def test_ids_are_numbered_in_order_of_arrival(added: list[list[int]], asked: list[int]) -> None:
    numbering = Numbering()
    known: dict[int, int] = {}
    for some in added:
        numbers = numbering.add(ids(some))
        assert numbers.tolist() == [known.setdefault(one, len(known)) for one in some]
    assert numbering.find(ids(asked)).tolist() == [known.get(one, -1) for one in asked]
    assert numbering.ids().tolist() == list(known)
    assert len(numbering) == len(known)


def test_the_table_grows_for_many_ids() -> None:
    some = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 5_000)
    numbering = Numbering()
    numbering.add(some)
    assert numbering.find(some).tolist() == list(range(5_000))
    assert np.array_equal(numbering.ids(), some)


@given(LISTS, LISTS)
def test_nodes_are_found_by_their_ids(given_ids: list[int], asked: list[int]) -> None:
    places, again = index_ids(ids(given_ids))
    first_of: dict[int, int] = {}
    repeats = [at for at, one in enumerate(given_ids) if first_of.setdefault(one, at) != at]
    assert again == (repeats[0] if repeats else None)
    if not repeats:
        assert places.find(ids(asked)).tolist() == [first_of.get(one, -1) for one in asked]


@given(st.lists(st.tuples(ANY, ANY), max_size=50))
def test_all_ids_of_edges_become_nodes(edges: list[tuple[int, int]]) -> None:
    sources, targets = ids([a for a, _ in edges]), ids([b for _, b in edges])
    known, from_nodes, to_nodes = renumber(sources, targets)
    assert known.tolist() == sorted({end for edge in edges for end in edge})
    assert (known[from_nodes].tolist(), known[to_nodes].tolist()) == (sources.tolist(), targets.tolist())


def test_arrays_of_different_lengths_are_refused() -> None:
    numbering = Numbering()
    kinds, counts = np.zeros(2, np.uint8), np.zeros(256, np.int64)
    wanted, into = np.ones(256, np.uint8), np.empty((2, 2), np.int32)
    for starts, found in ((ids([0, 1]), 0), (ids([1, 2]), 0), (ids([0, 2]), 1)):
        with pytest.raises(ValueError, match=r"different lengths|too small"):
            numbering.find_links(ids([7]), starts, ids([8, 9]), kinds, wanted, counts, into, found)
