"""Label groups of answers: with phrases that many of a group have, few others have, and people wrote."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from gossamer.search.clusters.read_answer import Piece, ReadAnswer

_MOST_WORDS = 4
# Phrases with one word more are counted too: a phrase that always goes on is not whole.
_MOST_COUNTED_WORDS = _MOST_WORDS + 1
_MOST_CHARACTERS = 60
_LEAST_SHARE = 0.05
"""A label is a phrase of at least two answers, and of this share of a large group."""
# A longer phrase stands for a shorter one inside it if it is at least this share of it.
_SAME = 0.6
_TITLE = 2.0
"""An answer that has a phrase in its title counts this many times."""
_LENGTHS = (0.0, 1.0, 2.2, 2.5, 2.2)
"""By number of words that are no stop words: how much a phrase is preferred to one word."""
_LEAST_LIFT = 3.0
"""A label has a word that is this much more frequent in the answers than elsewhere: “free encyclopedia” is no subject."""
_GLUE = "-.'’&_@/"
"""A phrase does not begin or end beside these: it would be a part of a word, such as “52” of “B-52”."""

Key = tuple[str, ...]
"""The terms of a phrase, "" for stop words inside it."""


def label_groups(
    groups: Sequence[Sequence[int]],
    answers: Sequence[ReadAnswer],
    query_terms: Collection[str],
    lifts: Mapping[str, float],
) -> list[str]:
    """Return a label for each group, different for each; "" for a group without a phrase of its own.

    Groups choose in their order. Cost: O(words of the answers).
    """
    found = [_count_phrases([answers[at] for at in group], query_terms, lifts) for group in groups]
    everywhere: Counter[Key] = Counter()
    for counts in found:
        everywhere.update({key: times for key, (times, _) in counts.items()})
    labels: list[str] = []
    taken: set[frozenset[str]] = set()
    total = sum(map(len, groups))
    least_lift = _find_least_lift(list(lifts.values()))
    for group, counts in zip(groups, found, strict=True):
        ranked = _rank_phrases(counts, everywhere, len(group), total, lifts, least_lift)
        members = [answers[at] for at in group]
        labels.append(_choose_label(ranked, members, query_terms, taken))
    return labels


def list_phrases(terms: Sequence[str], usable: Collection[str]) -> Iterator[Key]:
    """Yield the phrases of a piece whose words are all usable; stop words stand only inside."""
    count = len(terms)
    for first in range(count):
        if terms[first] not in usable:
            continue
        for last in range(first, min(count, first + _MOST_COUNTED_WORDS)):
            if terms[last] in usable:
                yield tuple(terms[first : last + 1])
            elif terms[last]:
                break


def _count_phrases(
    members: Sequence[ReadAnswer], query_terms: Collection[str], lifts: Mapping[str, float]
) -> dict[Key, tuple[int, float]]:
    """Count the answers of a group that have each phrase, and weigh them: titles count more."""
    least = _count_least(len(members))
    frequencies = Counter(term for member in members for term in member.counts)
    usable = {term for term, times in frequencies.items() if times >= least and term in lifts}
    usable |= {term for term in query_terms if term}
    times: Counter[Key] = Counter()
    titles: Counter[Key] = Counter()
    for member in members:
        seen = {True: set[Key](), False: set[Key]()}
        for piece in member.pieces:
            seen[piece.in_title].update(list_phrases(piece.terms, usable))
        times.update(seen[True] | seen[False])
        titles.update(seen[True])
    return {
        key: (count, count + (_TITLE - 1) * titles[key])
        for key, count in times.items()
        if count >= least and not all(term in query_terms or not term for term in key)
    }


def _count_least(size: int) -> int:
    return max(min(2, size), math.ceil(_LEAST_SHARE * size))


def _find_least_lift(lifts: list[float]) -> float:
    """Return how frequent a word of a label must be: less if the query finds most of the collection, where no word stands out."""
    strong = sorted(lifts)[-(len(lifts) // 10) - 1] if lifts else 1.0
    return min(_LEAST_LIFT, strong / 2)


def _rank_phrases(
    counts: Mapping[Key, tuple[int, float]],
    everywhere: Counter[Key],
    size: int,
    total: int,
    lifts: Mapping[str, float],
    least_lift: float,
) -> list[Key]:
    """Return the best phrases first: whole ones, of many answers, of few others, and rare in the collection."""
    longer = _find_longer(counts)
    scored = []
    for key, (times, weight) in counts.items():
        words = [term for term in key if term]
        if len(key) > _MOST_WORDS:
            continue
        own = [lifts[term] for term in words if term in lifts]
        if max(own) < least_lift or all(term.isdigit() or term not in lifts for term in words):
            continue
        outside = (everywhere[key] - times + 0.5) / (total - size + 1)
        contrast = math.log1p(times / size / outside)
        rarity = sum(math.log1p(lift) for lift in own) / len(own)
        is_part = longer[key] >= _SAME * times
        scored.append((is_part, -weight * contrast * rarity * _LENGTHS[len(words)], key))
    scored.sort()
    return [key for _, _, key in scored]


def _find_longer(counts: Mapping[Key, tuple[int, float]]) -> Counter[Key]:
    """Return by phrase: how many answers have the most frequent phrase that contains it and is longer."""
    longer: Counter[Key] = Counter()
    for key, (times, _) in counts.items():
        for length in range(1, len(key)):
            for start in range(len(key) - length + 1):
                part = key[start : start + length]
                if times > longer[part]:
                    longer[part] = times
    return longer


def _choose_label(
    ranked: Sequence[Key],
    members: Sequence[ReadAnswer],
    query_terms: Collection[str],
    taken: set[frozenset[str]],
) -> str:
    """Return the first phrase whose words are not yet a label, as it is most often written."""
    for key in ranked:
        words = frozenset(term for term in key if term and term not in query_terms)
        if words not in taken:
            spellings = Counter(text for member in members for text in _list_spellings(key, member.pieces))
            if spellings:
                taken.add(words)
                return _choose_spelling(spellings)
    return ""


def _list_spellings(key: Key, pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield how a phrase is written in some texts, where it is no part of a longer word."""
    for piece in pieces:
        terms = piece.terms
        for first in range(len(terms) - len(key) + 1):
            if terms[first] == key[0] and terms[first : first + len(key)] == key:
                start, end = piece.places[first][0], piece.places[first + len(key) - 1][1]
                text, around = (
                    piece.text[start:end],
                    piece.text[max(0, start - 1) : start] + piece.text[end : end + 1],
                )
                if (
                    len(text) <= _MOST_CHARACTERS
                    and not set(around) & set(_GLUE)
                    and _is_name(key, piece, first)
                ):
                    yield " ".join(text.split())


def _is_name(key: Key, piece: Piece, first: int) -> bool:
    """Say whether a phrase can be a name: with stop words inside, both ends must be written like names."""
    if "" not in key:
        return True
    ends = (piece.text[piece.places[at][0]] for at in (first, first + len(key) - 1))
    return all(letter.isupper() or letter.isdigit() for letter in ends)


def _choose_spelling(spellings: Counter[str]) -> str:
    """Return the most frequent spelling; of equal ones, one that is not in capitals only."""
    return min(spellings, key=lambda text: (-spellings[text], text.isupper(), text))
