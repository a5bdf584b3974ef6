"""Group answers by words that occur together, and label the groups."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.search.clusters.average_linkage import cut_merges, list_merges
from gossamer.search.clusters.cluster_records import AnswerGroup, AnswerGroups, AnswerText, TermSample
from gossamer.search.clusters.label_groups import label_groups
from gossamer.search.clusters.read_answer import read_answer
from gossamer.search.clusters.weigh_terms import weigh_terms
from gossamer.search.terms.analysis import split_text, to_terms

MOST_GROUPS = 20
"""Groups of answers, the rest included."""
# Swept .02 to .1: .02 to .05 are equal within .02, and without a collection .04 to .06 are best.
_LEAST_SIMILARITY = 0.04
# A group of nearly all answers tells nothing: then closer groups are made, until none has more than half of them.
_CLOSER = (0.06, 0.09, 0.13, 0.18, 0.25, 0.35, 0.5, 0.7)
_NEARLY_ALL, _HALF = 0.75, 0.5
_FEW_ANSWERS = 10
_FEWEST_MEMBERS = 2
# An answer is also in a second group that is this similar, compared with its own.
_NEARLY_AS_SIMILAR = 0.75
_LEAST_SECOND = 0.1


def cluster_answers(
    answers: Sequence[AnswerText],
    query_words: str = "",
    sample: TermSample | None = None,
    most_groups: int = MOST_GROUPS,
) -> AnswerGroups:
    """Group answers whose texts share words, by average linkage on the cosine of their weighed terms.

    At most `most_groups` groups are made, the rest included. `sample` is the collection that was searched; without it all
    words count the same, and groups are worse. Cost: O(answers²), 0.2 s for 1,000 answers. Source: Stein 1997, section 5.1.2.
    """
    if not answers:
        return AnswerGroups((), (), ())
    languages = tuple(dict.fromkeys(answer.language for answer in answers)) or ("",)
    query_terms = {term for word in split_text(query_words) for term in to_terms(word, languages)}
    read = [read_answer(answer) for answer in answers]
    weights = weigh_terms(read, query_terms, sample)
    similarity = weights.vectors @ weights.vectors.T
    members = _list_members(_choose_groups(similarity), most_groups - 1)
    labels = label_groups(members, read, query_terms, weights.lifts)
    kept = [(label, group) for label, group in zip(labels, members, strict=True) if label]
    home = np.full(len(answers), -1)
    for number, (_, group) in enumerate(kept):
        home[group] = number
    wider = _add_second_groups(similarity, home, len(kept))
    return AnswerGroups(
        tuple(AnswerGroup(label, tuple(wider[number])) for number, (label, _) in enumerate(kept)),
        tuple(np.flatnonzero(home < 0).tolist()),
        tuple(home.tolist()),
    )


def _choose_groups(similarity: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the group of each answer: as large as their words allow, but none with nearly all answers."""
    count = len(similarity)
    merges = list_merges(similarity, _LEAST_SIMILARITY)
    group = cut_merges(count, merges, _LEAST_SIMILARITY)
    if count < _FEW_ANSWERS or _find_largest(group) <= _NEARLY_ALL * count:
        return group
    for least in _CLOSER:
        closer = cut_merges(count, merges, least)
        if _find_largest(closer) <= _HALF * count:
            return closer
    return group


def _find_largest(group: NDArray[np.int64]) -> int:
    return int(np.bincount(group).max())


def _list_members(group: NDArray[np.int64], most: int) -> list[list[int]]:
    """Return the answers of the largest groups, the group of the best answer first among equals."""
    by_group: dict[int, list[int]] = {}
    for answer, number in enumerate(group.tolist()):
        by_group.setdefault(number, []).append(answer)
    several = [one for one in by_group.values() if len(one) >= _FEWEST_MEMBERS]
    several.sort(key=lambda one: (-len(one), one[0]))
    return several[: max(0, most)]


def _add_second_groups(
    similarity: NDArray[np.float32], home: NDArray[np.int64], count: int
) -> list[list[int]]:
    """Return the answers of each group, and those of other groups that are nearly as similar to it as to their own."""
    if not count:
        return []
    belongs = np.zeros((len(home), count), np.float32)
    inside = np.flatnonzero(home >= 0)
    belongs[inside, home[inside]] = 1
    sizes = belongs.sum(axis=0)
    # An answer is not compared with itself.
    sums = (similarity - np.diag(np.diag(similarity))) @ belongs
    means = sums / np.maximum(1, sizes[None, :] - belongs)
    own = np.where(home >= 0, means[np.arange(len(home)), home], 1)
    second = (means >= _NEARLY_AS_SIMILAR * own[:, None]) & (means >= _LEAST_SECOND) & (home >= 0)[:, None]
    return [np.flatnonzero((home == number) | second[:, number]).tolist() for number in range(count)]
