from pathlib import Path

import numpy as np

from gossamer.graph.graph import Graph, from_edges
from gossamer.search.links.list_pages import find_lists, read_lists, write_lists

PAGES = 40
IDS = np.arange(PAGES, dtype=np.int64) * 10 - 50


def link(*more: tuple[int, int]) -> Graph:
    """Return a web in which every page links to the first five pages, and some pages to more."""
    menu = [(source, target) for source in range(PAGES) for target in range(5) if source != target]
    sources, targets = (np.array(column, np.int32) for column in zip(*menu, *more, strict=True))
    return from_edges(sources, targets, PAGES)


def test_pages_that_mostly_name_others_are_lists(tmp_path: Path) -> None:
    words = np.full(PAGES, 300)
    words[8] = 3_000
    graph = link(*((source, target) for source in (7, 8) for target in range(9, 39)))
    lists = find_lists(IDS, np.zeros(PAGES, np.int32), words, graph)
    # The thirty links of page 7 are a third of its words; page 8 has as many, in a long text.
    assert lists.look_up(IDS[[6, 7, 8]]) == [0.0, 0.3, 0.0]
    assert lists.look_up([99_999]) == [0.0]
    write_lists(lists, tmp_path)
    assert read_lists(tmp_path).look_up(IDS[[7]]) == [0.3]


def test_each_site_has_menus_of_its_own() -> None:
    # On the second site, every page has 25 links.
    big = [(source, target) for source in range(20, 40) for target in range(5, 30)]
    sites = np.repeat(np.array([0, 1], np.int32), 20)
    lists = find_lists(IDS, sites, np.full(PAGES, 100), link(*big))
    assert not len(lists.rows)
    lists = find_lists(IDS, np.zeros(PAGES, np.int32), np.full(PAGES, 100), link(*big[:25]))
    assert lists.look_up(IDS[[19, 20]]) == [0.0, 0.72]


def test_webs_without_pages_and_links(tmp_path: Path) -> None:
    nothing = np.empty(0, np.int32)
    empty = find_lists(np.empty(0, np.int64), nothing, nothing, from_edges(nothing, nothing, 0))
    assert empty.look_up([1]) == read_lists(tmp_path).look_up([1]) == read_lists(None).look_up([1]) == [0.0]
    unlinked = find_lists(
        IDS, np.zeros(PAGES, np.int32), np.zeros(PAGES), from_edges(nothing, nothing, PAGES)
    )
    assert not len(unlinked.rows)
