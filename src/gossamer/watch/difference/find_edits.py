"""Find the edits between two versions of a page: paragraphs that changed, came or went."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import msgspec

from gossamer.watch.difference.align_sequences import Pair, align
from gossamer.watch.difference.mark_words import split_words
from gossamer.watch.difference.part_text import PageVersion, TextBlock

ALIKE = 0.5
"""Two paragraphs that share at least half of their words are versions of one."""
_MOST_TRIED = 20
"""Paragraphs in a row that are tried as the new version of one; hostile pages have thousands."""
_CHANGING = re.compile(r"\d[\d.,:/-]*")
_FORM_WORDS = 12
"""Only short paragraphs, such as a price or a date, are recognised by their form without numbers."""


class Edit(msgspec.Struct, frozen=True, gc=False):
    """One place of a page that differs: blocks that were there, and blocks that are there now."""

    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: str
    """The nearest block before it that stayed the same; "" if there is none."""
    after: str
    """The nearest block after it that stayed the same; "" if there is none."""
    paired: bool = False
    """Whether it is one paragraph in two versions."""


def find_edits(old: PageVersion, new: PageVersion) -> list[Edit]:
    """Return the edits that lead from one version to the other, in page order. Blocks that only moved are left out.

    Cost: that of `align`, and 20 comparisons of words for each block that differs.
    """
    before, after = _choose_blocks(old, new), _choose_blocks(new, old)
    pairs = align(before, after)
    gone = _list_unmatched(len(before), [one for one, _ in pairs])
    come = _list_unmatched(len(after), [other for _, other in pairs])
    moved = Counter(before[at] for at in gone) & Counter(after[at] for at in come)
    gone, come = _leave_out(before, gone, moved), _leave_out(after, come, moved)
    alike = _pair_alike(before, after, pairs, gone, come)
    return _list_edits(before, after, sorted(pairs + alike), set(alike), set(gone), set(come))


def _choose_blocks(version: PageVersion, other: PageVersion) -> list[str]:
    """Return the texts of the watched part, and those that the other version has in its part.

    What is main text is decided for each version anew: a footer must not seem new because it counted as main text once.
    """
    watched = {one.text for one in other.blocks or () if one.main}
    return [one.text for one in version.blocks or () if one.main or one.text in watched]


def _list_unmatched(length: int, matched: Sequence[int]) -> list[int]:
    known = set(matched)
    return [at for at in range(length) if at not in known]


def _leave_out(blocks: Sequence[str], places: list[int], moved: Counter[str]) -> list[int]:
    """Return the places without those of blocks that moved."""
    left = Counter(moved)
    kept = []
    for at in places:
        if left[blocks[at]] > 0:
            left[blocks[at]] -= 1
        else:
            kept.append(at)
    return kept


def _pair_alike(
    before: Sequence[str], after: Sequence[str], pairs: list[Pair], gone: list[int], come: list[int]
) -> list[Pair]:
    """Pair blocks between the same neighbours that are versions of one paragraph."""
    found: list[Pair] = []
    bounds = [*pairs, (len(before), len(after))]
    at = at_new = 0
    for end, end_new in bounds:
        found += _pair_within(before, after, _slice(gone, at, end), _slice(come, at_new, end_new))
        at, at_new = end + 1, end_new + 1
    return found


def _slice(places: list[int], start: int, end: int) -> list[int]:
    """Return those of sorted places from `start` up to `end`."""
    return places[bisect_left(places, start) : bisect_left(places, end)]


def _pair_within(before: Sequence[str], after: Sequence[str], gone: list[int], come: list[int]) -> list[Pair]:
    """Pair each removed block, in order, with the added one that is most like it."""
    found = []
    words = {at: Counter(_strip_words(after[at])) for at in come}
    first = 0
    for at in gone:
        own = Counter(_strip_words(before[at]))
        best, best_likeness = -1, 0.0
        for place in range(first, min(first + _MOST_TRIED, len(come))):
            likeness = _compare(before[at], own, after[come[place]], words[come[place]])
            if likeness > best_likeness:
                best, best_likeness = place, likeness
        if best_likeness >= ALIKE:
            found.append((at, come[best]))
            first = best + 1
    return found


def _strip_words(text: str) -> list[str]:
    return [word.strip() for word in split_words(text)]


def _compare(old: str, words: Counter[str], new: str, words_new: Counter[str]) -> float:
    """Return how alike two blocks are, 0 to 1: by the words that they share, or by their form without numbers."""
    total = words.total() + words_new.total()
    if total <= 2 * _FORM_WORDS and _CHANGING.sub("#", old) == _CHANGING.sub("#", new):
        return 1.0
    return 2 * (words & words_new).total() / total if total else 0.0


def _list_edits(
    before: list[str],
    after: list[str],
    pairs: list[Pair],
    alike: set[Pair],
    gone: set[int],
    come: set[int],
) -> list[Edit]:
    """Return the edits between and at the pairs, each with the nearest blocks that stayed."""
    edits: list[Edit] = []
    following = _find_following(before, pairs, alike)
    at = at_new = 0
    last = ""
    for place, (end, end_new) in enumerate([*pairs, (len(before), len(after))]):
        removed = tuple(before[each] for each in range(at, end) if each in gone)
        added = tuple(after[each] for each in range(at_new, end_new) if each in come)
        if removed or added:
            edits.append(Edit(removed, added, last, following[place]))
        if (end, end_new) not in alike:
            last = before[end] if end < len(before) else ""
        elif _strip_words(before[end]) != _strip_words(after[end_new]):
            edits.append(Edit((before[end],), (after[end_new],), last, following[place], paired=True))
        at, at_new = end + 1, end_new + 1
    return edits


def _find_following(before: list[str], pairs: list[Pair], alike: set[Pair]) -> list[str]:
    """Return for each pair, and for the end, the text of the next block from there on that stayed the same."""
    found = [""]
    for pair in reversed(pairs):
        found.append(found[-1] if pair in alike else before[pair[0]])
    return found[::-1]


def join_blocks(blocks: Sequence[TextBlock]) -> str:
    """Return the watched text of a version, a line for each block."""
    return "\n".join(one.text for one in blocks if one.main)
