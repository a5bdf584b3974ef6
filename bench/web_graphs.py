"""Make synthetic web graphs of any size in seconds: power-law degrees, hosts, and the regions of a bow-tie.

Regions have the shares that Broder et al. 2000 measured; they link only where a bow-tie allows. Links are drawn by power
laws with the exponents 2.1 for in-degrees and 2.72 for out-degrees (the same source); without links drawn twice, the tails
have 2.5 and 2.9 to 3.0, which `main` fits. Three of four links stay on their host, and there, too, most lead to popular
pages. Pages are numbered as in a polite crawl, alternating between hosts, so that pages of one host have distant numbers.

    python bench/web_graphs.py [PAGES [LINKS]]
"""

import sys

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, build_graph

Numbers = NDArray[np.int64]

REGIONS = ("core", "in", "out", "tendrils_in", "tendrils_out", "islands")
CORE = 0
SHARES = np.array([0.277, 0.213, 0.212, 0.110, 0.105, 0.083])
FLOWS = np.array(
    [  # core  in    out   t_in  t_out islands
        [0.80, 0.00, 0.20, 0.00, 0.00, 0.00],
        [0.50, 0.40, 0.02, 0.08, 0.00, 0.00],
        [0.00, 0.00, 1.00, 0.00, 0.00, 0.00],
        [0.00, 0.00, 0.00, 1.00, 0.00, 0.00],
        [0.00, 0.00, 0.35, 0.00, 0.65, 0.00],
        [0.00, 0.00, 0.00, 0.00, 0.00, 1.00],
    ]
)
"""The shares of links to other hosts, from region to region. All pages of a host are in one region."""
LINKING = np.array([0.95, 0.95, 0.45, 0.35, 0.90, 0.50])
"""The share of pages with links, by region; the others are pictures, papers, or were not fetched."""
IN_EXPONENT, OUT_EXPONENT = 2.1, 2.72
STAYING = 0.75
HOST_PAGES, HOST_EXPONENT = 60, 2.0
"""The pages of the smallest host, and the exponent of host sizes."""
FAME_SHIFT = 4.0
"""Added to each rank. Without it, 29 of 100 links across hosts would lead to the first page of a region; with it, 1."""
TAIL_FROM = 20
SPARE = 1.6
"""The factor of links drawn to links kept: some are drawn twice, or lead back to their page."""


def make_web_graph(pages: int, links: int, seed: int = 4) -> Graph:
    """Make a graph with these numbers of pages and links, exactly."""
    dice = np.random.default_rng(seed)
    begins = np.concatenate([[0], np.cumsum(SHARES * pages).round().astype(np.int64)])
    begins[-1] = pages
    fronts = _cut_hosts(begins, dice)
    sources, targets = _draw_links(begins, fronts, int(links * SPARE), dice)
    number_of = _number_by_turns(fronts, pages)
    graph = build_graph(number_of[sources], number_of[targets], pages).graph
    if graph.links < links:
        raise ValueError(f"{links:,} links are too many for {pages:,} pages: {graph.links:,} were found")
    keep = np.ones(graph.links, np.bool_)
    keep[dice.choice(graph.links, graph.links - links, replace=False, shuffle=False)] = False
    return build_graph(graph.link_sources()[keep], graph.targets[keep], pages).graph


def _cut_hosts(begins: Numbers, dice: np.random.Generator) -> Numbers:
    """Cut regions into hosts; return the first page of each, and one that would come after the last."""
    enough = int(begins[-1]) // HOST_PAGES + len(begins)
    sizes = HOST_PAGES * (dice.pareto(HOST_EXPONENT - 1, enough) + 1)
    ends = np.cumsum(np.minimum(sizes, begins[-1] / 100).astype(np.int64))
    return np.union1d(begins, ends[ends < begins[-1]])


def _draw_links(
    begins: Numbers, fronts: Numbers, links: int, dice: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw the links of each region."""
    sizes = np.diff(begins)
    weights = SHARES * LINKING
    sources, targets = [], []
    for region, count in enumerate((links * weights / weights.sum()).astype(np.int64)):
        origins = begins[region] + _draw_origins(int(sizes[region]), int(count), LINKING[region], dice)
        stays = dice.random(len(origins), np.float32) < STAYING
        ends = np.empty(len(origins), np.int64)
        keep = np.ones(len(origins), np.bool_)
        host = np.searchsorted(fronts, origins[stays], side="right") - 1
        ends[stays] = fronts[host] + _draw_ranks(fronts[host + 1] - fronts[host], dice)
        flows = dice.choice(len(REGIONS), len(origins) - len(host), p=FLOWS[region])
        ends[~stays] = begins[flows] + _spread_ranks(_draw_ranks(sizes[flows], dice), sizes[flows])
        # Only the core has cycles of hosts: elsewhere they would make components as large as the core.
        keep[~stays] = (flows != region) | (ends[~stays] > origins[~stays]) | (region == CORE)
        sources.append(origins[keep].astype(np.int32))
        targets.append(ends[keep].astype(np.int32))
    return np.concatenate(sources), np.concatenate(targets)


def _draw_origins(pages: int, links: int, linking: float, dice: np.random.Generator) -> Numbers:
    """Draw the out-degree of each page, and repeat the page by it."""
    wanted = dice.pareto(OUT_EXPONENT - 1, pages) + 1
    wanted[dice.random(pages) >= linking] = 0
    wanted *= links / wanted.sum()
    degrees = (wanted + dice.random(pages)).astype(np.int64)
    return np.repeat(np.arange(pages), np.minimum(degrees, pages // 2))


def _draw_ranks(pages: Numbers, dice: np.random.Generator) -> Numbers:
    """Draw ranks among the pages, by the power law that gives in-degrees their exponent."""
    power = 1 - 1 / (IN_EXPONENT - 1)
    low, high = FAME_SHIFT**power, (pages + FAME_SHIFT) ** power
    ranks = (low + dice.random(len(pages)) * (high - low)) ** (1 / power) - FAME_SHIFT
    chosen: Numbers = np.clip(ranks.astype(np.int64), 0, pages - 1)
    return chosen


def _spread_ranks(ranks: Numbers, pages: Numbers) -> Numbers:
    """Spread ranks over a region by a step coprime to its size, so that popularity is independent of hosts."""
    places: Numbers = ranks * 1_000_003 % pages
    return places


def _number_by_turns(fronts: Numbers, pages: int) -> NDArray[np.int32]:
    """Number pages alternating between hosts: the first page of every host, then the second of every host …"""
    turn = np.arange(pages) - np.repeat(fronts[:-1], np.diff(fronts))
    numbers = np.empty(pages, np.int32)
    numbers[np.argsort(turn, kind="stable")] = np.arange(pages, dtype=np.int32)
    return numbers


def main() -> int:
    """Make a graph and print its degrees."""
    pages, links = (int(word) for word in [*sys.argv[1:], "1000000", "9000000"][:2])
    graph = make_web_graph(pages, links)
    for name, degrees in (("in", graph.in_degrees()), ("out", graph.out_degrees())):
        tail = degrees[degrees >= TAIL_FROM]
        exponent = 1 + len(tail) / np.log(tail / (TAIL_FROM - 0.5)).sum()
        print(f"{name}-degree: exponent {exponent:.2f} from {TAIL_FROM} on")
        shares = np.percentile(degrees, [50, 90, 99, 99.9])
        print(
            f"{name}-degree: none {np.mean(degrees == 0):.1%}, 50/90/99/99.9 % {shares}, most {degrees.max():,}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
