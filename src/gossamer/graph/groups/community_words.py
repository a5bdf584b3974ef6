"""The typical words of each community, from titles and link texts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log

from gossamer.graph.graph import Nodes

_LEAST_TITLES = 10
_WORD = re.compile(r"[^\W\d_]{3,}")


def drop_repeated_words(titles: Sequence[str], hosts: Nodes) -> list[str]:
    """Return titles without the words that most titles of their host have, such as the name of a site.

    Hosts with fewer than ten titles keep all words: their pages may share a subject.
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
    return [
        " ".join(word for word in words if word not in repeated.get(host, ()))
        for words, host in zip(found, hosts.tolist(), strict=True)
    ]


def find_typical_words(
    labels: Nodes, nodes: Iterable[int], texts: Iterable[str], most: int = 5
) -> list[list[str]]:
    """Return the typical words of each community's texts, the most typical first.

    `texts[i]` is a title of `nodes[i]`, or the text of a link to it. A word counts once for each text. A word is
    typical if it is more frequent inside than outside by the log-likelihood ratio (Dunning 1993), which excludes words
    that are frequent everywhere.
    """
    inside: dict[int, Counter[str]] = defaultdict(Counter)
    for node, text in zip(nodes, texts, strict=True):
        inside[int(labels[node])].update(set(_WORD.findall(text.casefold())))
    everywhere: Counter[str] = Counter()
    for words in inside.values():
        everywhere.update(words)
    count = int(labels.max()) + 1 if len(labels) else 0
    return [_rank_words(inside.get(number, Counter()), everywhere, most) for number in range(count)]


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
