"""Link noise: the two cases of Schmitz 2001 are found, distinguished from mirrors, and can be removed."""

import numpy as np
from tests.unit.graph.random_graphs import make_graph

from gossamer.graph.graph import Graph
from gossamer.graph.groups.link_noise import find_disturbances, remove_disturbances

PAGES = 60
HOSTS = np.arange(PAGES, dtype=np.int32)


def with_groups() -> Graph:
    """Return a circle of pages in which 0 to 9 link to each other, and 20 to 29 too."""
    circle = {(page, (page + 1) % PAGES) for page in range(PAGES)}
    groups = {(a, b) for group in (range(10), range(20, 30)) for a in group for b in group if a != b}
    return make_graph(PAGES, circle | groups)


def contents(*groups: range) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    message = np.arange(1, PAGES + 1, dtype=np.int64)
    for group in groups:
        message[list(group)] = -group[0] - 1
    return message


def test_copies_that_link_to_each_other_come_from_a_misconfigured_server() -> None:
    found = find_disturbances(with_groups(), HOSTS, contents(range(10), range(40, 46)))
    assert [(one.kind, one.pages.tolist(), one.hosts) for one in found] == [
        ("server", list(range(10)), 10),
        ("mirrors", list(range(40, 46)), 6),
    ]
    assert found[0].density == 1


def test_known_addresses_tell_servers_from_mirrors() -> None:
    message = contents(range(10), range(40, 46))
    addresses = np.arange(1, PAGES + 1, dtype=np.int64)
    addresses[40:46] = 7
    found = find_disturbances(with_groups(), HOSTS, message, addresses=addresses)
    assert [one.kind for one in found] == ["mirrors", "server"]


def test_pages_connected_by_invisible_links_are_a_farm() -> None:
    graph = with_groups()
    sources = graph.link_sources()
    unseen = (sources >= 20) & (sources < 30) & (graph.targets >= 20) & (graph.targets < 30)
    found = find_disturbances(graph, HOSTS, contents(range(20, 30)), unseen)
    assert [(one.kind, one.pages.tolist()) for one in found] == [("farm", list(range(20, 30)))]
    assert find_disturbances(graph, HOSTS, unseen=np.zeros_like(unseen)) == []
    assert find_disturbances(graph, np.zeros_like(HOSTS), unseen=unseen) == []


def test_few_copies_and_unknown_contents_are_not_noise() -> None:
    assert find_disturbances(with_groups(), HOSTS, contents(range(4))) == []
    assert find_disturbances(with_groups(), HOSTS, np.zeros(PAGES, np.int64)) == []
    assert find_disturbances(with_groups(), HOSTS // 10, contents(range(10))) == []


def test_noise_can_be_removed_and_one_mirror_stays() -> None:
    graph = with_groups()
    found = find_disturbances(graph, HOSTS, contents(range(10), range(40, 46)))
    left, numbers = remove_disturbances(graph, found)
    assert left.nodes == PAGES - 10 - 5
    assert set(range(PAGES)) - set(numbers.tolist()) == {*range(10), *range(41, 46)}
    assert remove_disturbances(graph, found, kinds=["farm"])[0].nodes == PAGES
