"""The typical words of each community, from titles and link texts."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Nodes

_LEAST_TITLES = 10
_SOME_NODES, _TITLED = 3, 10
"""A word of links to at least so many nodes says nothing unless one in so many of them has it in its title: “here”, or “NextB” before B.1."""
_PAIRS_AT_ONCE = 4_000_000
"""Words of texts that are collected before repeats are dropped: 32 MB."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def drop_repeated_words(titles: Sequence[str], hosts: Nodes) -> list[str]:
    """Return titles without the words that most titles of their host have, such as the name of a site.

    Hosts with fewer than ten titles keep all words: their pages may share a subject. So do titles of such words only.
    """
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    pages: Counter[int] = Counter()
    found = [_WORD.findall(title.casefold()) for title in titles]
    for words, host in zip(found, hosts.tolist(), strict=True):
        counts[host].update(set(words))
        pages[host] += bool(words)
    repeated = {
        host: {word for word, number in own.items() if number > pages[host] / 2}
        for host, own in counts.items()
        if pages[host] >= _LEAST_TITLES
    }
    left = (
        " ".join(word for word in words if word not in repeated.get(host, ()))
        for words, host in zip(found, hosts.tolist(), strict=True)
    )
    return [own or title for own, title in zip(left, titles, strict=True)]


def find_typical_words(
    labels: Nodes, nodes: Iterable[int], texts: Iterable[str], most: int = 5, titles: int = 0
) -> list[list[str]]:
    """Return the typical words of each community's texts, the most typical first.

    `texts[i]` is a title of `nodes[i]`, or the text of a link to it; the first `titles` texts are titles. A word counts
    once for each node, so that a page with many links does not name its community alone. A word is typical if it is
    more frequent inside than outside by the log-likelihood ratio (Dunning 1993), which excludes words that are frequent
    everywhere. Words of links that hardly any title has, such as "here", do not count.
    """
    named = zip(nodes, texts, strict=True)
    numbers: dict[str, int] = {}
    in_titles = _pair_words(islice(named, titles), len(labels), numbers)
    pairs = np.union1d(in_titles, _pair_words(named, len(labels), numbers))
    if titles:
        times, titled = (
            np.bincount(some // len(labels), minlength=len(numbers)) for some in (pairs, in_titles)
        )
        says_nothing = (times >= _SOME_NODES) & (_TITLED * titled < times)
        pairs = pairs[~says_nothing[pairs // len(labels)]]
    inside = _count_nodes(labels, pairs, list(numbers))
    everywhere: Counter[str] = Counter()
    for words in inside.values():
        everywhere.update(words)
    count = int(labels.max()) + 1 if len(labels) else 0
    return [_rank_words(inside.get(number, Counter()), everywhere, most) for number in range(count)]


def _pair_words(named: Iterable[tuple[int, str]], nodes: int, numbers: dict[str, int]) -> NDArray[np.int64]:
    """Return the words of nodes, each once for a node, as the number of the word times the number of nodes, plus the node."""
    seen, pairs = np.empty(0, np.int64), array("q")
    for node, text in named:
        for word in _WORD.findall(text.casefold()):
            pairs.append(numbers.setdefault(word, len(numbers)) * nodes + int(node))
        if len(pairs) >= _PAIRS_AT_ONCE:
            seen, pairs = np.union1d(seen, np.frombuffer(pairs, np.int64)), array("q")
    return np.union1d(seen, np.frombuffer(pairs, np.int64)) if pairs else seen


def _count_nodes(labels: Nodes, pairs: NDArray[np.int64], words: Sequence[str]) -> dict[int, Counter[str]]:
    """Count for each community how many of its nodes have each word."""
    word_of, node_of = np.divmod(pairs, max(len(labels), 1))
    keys, counts = np.unique(labels[node_of].astype(np.int64) * len(words) + word_of, return_counts=True)
    inside = defaultdict[int, Counter[str]](Counter)
    for key, number in zip(keys.tolist(), counts.tolist(), strict=True):
        community, word = divmod(key, len(words))
        inside[community][words[word]] = number
    return inside


def _rank_words(words: Counter[str], everywhere: Counter[str], most: int) -> list[str]:
    here, all_words = words.total(), everywhere.total()
    weight = {
        word: _likelihood_ratio(number, here, everywhere[word], all_words) for word, number in words.items()
    }
    best: Sequence[str] = sorted(weight, key=lambda word: (-weight[word], word))
    return [word for word in best[:most] if weight[word] > 0]


def _likelihood_ratio(inside: int, here: int, both: int, whole: int) -> float:
    """Return how surprising a word's frequency inside is; 0 if it is not more frequent than outside."""
    expected = both * here / whole
    if inside <= expected:
        return 0.0 if whole > here else float(inside)
    outside = both - inside
    return 2 * (
        inside * log(inside / expected) + (outside * log(outside / (both - expected)) if outside else 0.0)
    )
