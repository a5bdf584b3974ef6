"""Which pages belong together, each to one community, and what a community is about."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import inf, log
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, MissingExtra
from gossamer.graph.graph import Graph, Nodes

Method = Literal["leiden", "labels"]
PAIRS_AT_ONCE = 5_000_000
"""So many are handed to igraph at a time, which takes 165 bytes a pair while it reads them, and 35 afterwards."""
_WORD = re.compile(r"[^\W\d_]{3,}")


class Communities(msgspec.Struct, frozen=True, eq=False):
    """A division of a graph: communities are numbered from the largest, of equal ones by their smallest node."""

    labels: Nodes
    """The community of each node."""
    sizes: NDArray[np.int64]
    modularity: float
    """How many more links stay inside than would by chance, as a share of all: 0 to nearly 1."""


def communities(
    graph: Graph, method: Method = "leiden", resolution: float = 1.0, seed: int = 0
) -> Communities:
    """Divide a graph so that links stay inside communities rather than lead between them.

    Links count in both directions, those that are answered by a link back twice. A higher resolution makes smaller
    communities. The same seed gives the same division. Source: Traag, Waltman and van Eck 2019 (Leiden), Raghavan
    et al. 2007 (labels), both by igraph.
    """
    if method not in get_args(Method):
        raise BadInput(f"there is no method {method!r} to find communities: {' or '.join(get_args(Method))}")
    if not 0 < resolution < inf:
        raise BadInput(f"the resolution must be a number above 0, not {resolution:g}")
    if not graph.nodes:
        return Communities(np.empty(0, np.int32), np.empty(0, np.int64), 0.0)
    try:
        import igraph
    except ImportError:
        raise MissingExtra("graph", "igraph") from None
    igraph.set_random_number_generator(random.Random(seed))
    pairs, weights = _pairs(graph)
    whole = igraph.Graph(n=graph.nodes, directed=False)
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        ends = np.divmod(pairs[start : start + PAIRS_AT_ONCE], graph.nodes)
        whole.add_edges(np.column_stack(ends).data)
    del pairs
    if method == "leiden":
        found = whole.community_leiden("modularity", weights=weights, resolution=resolution, n_iterations=-1)
    else:
        found = whole.community_label_propagation(weights=weights)
    labels, sizes = _by_size(np.array(found.membership, np.int32))
    modularity = whole.modularity(labels.tolist(), weights=weights) if graph.links else 0.0
    return Communities(labels, sizes, modularity)


def _pairs(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the pairs of nodes a < b that are linked, as a · nodes + b, and how many links each pair has."""
    sources = graph.link_sources().astype(np.int64)
    keys = np.minimum(sources, graph.targets) * graph.nodes
    keys += np.maximum(sources, graph.targets)
    del sources
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.diff(first, append=len(keys)).astype(np.float64)


def _by_size(labels: Nodes) -> tuple[Nodes, NDArray[np.int64]]:
    """Number communities from the largest."""
    _, first, inverse, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[inverse], sizes[order].astype(np.int64)


def typical_words(
    labels: Nodes, nodes: Iterable[int], texts: Iterable[str], most: int = 5
) -> list[list[str]]:
    """Return for each community the words that are typical of its texts, the most typical first.

    `texts[i]` is a title of `nodes[i]`, or the words of a link that leads to it. A word counts once for each text. It
    is typical if it is more frequent inside than outside, by the log-likelihood ratio (Dunning 1993), which words that
    are frequent everywhere do not get by.
    """
    inside: dict[int, Counter[str]] = defaultdict(Counter)
    for node, text in zip(nodes, texts, strict=True):
        inside[int(labels[node])].update(set(_WORD.findall(text.casefold())))
    everywhere: Counter[str] = Counter()
    for words in inside.values():
        everywhere.update(words)
    count = int(labels.max()) + 1 if len(labels) else 0
    return [_most_typical(inside.get(number, Counter()), everywhere, most) for number in range(count)]


def _most_typical(words: Counter[str], everywhere: Counter[str], most: int) -> list[str]:
    here, all_words = words.total(), everywhere.total()
    weight = {
        word: _likelihood_ratio(number, here, everywhere[word], all_words) for word, number in words.items()
    }
    best: Sequence[str] = sorted(weight, key=lambda word: (-weight[word], word))
    return [word for word in best[:most] if weight[word] > 0]


def _likelihood_ratio(inside: int, here: int, both: int, whole: int) -> float:
    """Weigh how surprising it is that a word stands so often inside; 0 if it is not more frequent there."""
    expected = both * here / whole
    if inside <= expected:
        return 0.0 if whole > here else float(inside)
    outside = both - inside
    return 2 * (
        inside * log(inside / expected) + (outside * log(outside / (both - expected)) if outside else 0.0)
    )
