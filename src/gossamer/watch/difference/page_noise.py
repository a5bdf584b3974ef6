"""Learn which parts of a page are generated anew at each request, and leave them out of its changes.

A page is looked at several times within a minute when it is added, and again whenever it seems to have changed. What differs
between two such looks was not written by a person: advertisements, random quotations, session numbers, counters. It is
remembered in two ways: as a pattern of the words that stayed, and by the blocks before and after it.
Numbers and dates that change from day to day are learnt as in `freshness.volatile_text`, from three visits on.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec
import xxhash

from gossamer.freshness import volatile_text
from gossamer.watch.difference.align_sequences import align
from gossamer.watch.difference.clock_text import differ_only_by_clock
from gossamer.watch.difference.find_edits import Edit, find_edits, join_blocks
from gossamer.watch.difference.mark_words import split_words
from gossamer.watch.difference.part_text import PageVersion

SOON_S = 3600.0
"""What differs between two looks within this time is generated; `volatile_text.SOON_DAYS` says why."""
_MOST_LEARNT_CHARS = 60_000
"""Length of the paragraphs that are learnt from two looks: 300 rows of a table; hostile pages differ everywhere."""
_MOST_PATTERNS = 300
_MOST_SLOTS = 600
"""Older ones are forgotten first."""
_LEAST_SHARE = 0.5
"""Share of the words of a paragraph that a pattern must know, so that it matches no other paragraph."""

Slot = tuple[int, int, int, int]
"""A place between two blocks that stayed, by their digests, and how many blocks went and came there."""


class KnownNoise(msgspec.Struct, frozen=True, array_like=True):
    """What is known about the noise of one page."""

    patterns: tuple[tuple[str, ...], ...] = ()
    """Of paragraphs that are generated in part: the runs of words that stay, in order; "" where the text may begin or end."""
    slots: tuple[Slot, ...] = ()
    places: dict[int, tuple[int, int]] = {}
    """As `volatile_text.update_places` counts them."""


def learn_from_looks(noise: KnownNoise, old: PageVersion, new: PageVersion) -> KnownNoise:
    """Return what is known about the noise of a page after two looks in a row at the same state of it."""
    if old.blocks is None or new.blocks is None or abs(new.fetched_s - old.fetched_s) > SOON_S:
        return noise
    edits = find_edits(old, new)
    patterns, slots = dict.fromkeys(noise.patterns), dict.fromkeys(noise.slots)
    slots |= dict.fromkeys(_find_slots(edits).values())
    chars = 0
    for edit in edits:
        chars += sum(map(len, edit.removed + edit.added)) if edit.paired else 0
        if edit.paired and chars <= _MOST_LEARNT_CHARS and not _is_known_pattern(edit, noise.patterns):
            patterns[_make_pattern(edit)] = None
    return msgspec.structs.replace(
        noise, patterns=tuple(patterns)[-_MOST_PATTERNS:], slots=tuple(slots)[-_MOST_SLOTS:]
    )


def learn_from_days(noise: KnownNoise, old: PageVersion, new: PageVersion) -> KnownNoise:
    """Return what is known about numbers and dates that change from visit to visit."""
    found = volatile_text.compare_versions(_digest(old), _digest(new))
    places = volatile_text.update_places(found, noise.places, gap_days=1.0)
    return msgspec.structs.replace(noise, places=places)


def leave_out_noise(
    edits: Sequence[Edit], noise: KnownNoise, old: PageVersion, new: PageVersion
) -> list[Edit]:
    """Return the edits that a person made."""
    stayed = {one.text for one in old.blocks or ()} & {one.text for one in new.blocks or ()} | {""}
    there = set(map(_digest_text, stayed))
    known = {where for where, slot in _find_slots(edits).items() if _is_known_slot(slot, noise.slots, there)}
    return [
        edit
        for edit in edits
        if not (_is_noise(edit, noise, old, new) if edit.paired else (edit.before, edit.after) in known)
    ]


def _is_noise(edit: Edit, noise: KnownNoise, old: PageVersion, new: PageVersion) -> bool:
    """Say whether two versions of a paragraph differ in nothing that a person wrote."""
    [before], [after] = edit.removed, edit.added
    if differ_only_by_clock(before, old.fetched_s, after, new.fetched_s):
        return True
    return _is_known_pattern(edit, noise.patterns) or _is_volatile(before, after, noise)


def _is_volatile(before: str, after: str, noise: KnownNoise) -> bool:
    """Say whether a paragraph differs in numbers and dates alone, and did so at nearly every visit."""
    found = volatile_text.compare_versions(
        volatile_text.digest_lines(before), volatile_text.digest_lines(after)
    )
    return bool(found.new) and all(
        volatile_text.is_shape_place(place) and volatile_text.is_volatile(noise.places.get(place, (0, 0)))
        for place in found.new
    )


# Patterns: a paragraph of which some words are generated


def _make_pattern(edit: Edit) -> tuple[str, ...]:
    """Return the runs of words that two versions of a paragraph share, with "" for an edge that differs."""
    [before], [after] = edit.removed, edit.added
    words, words_new = ([word.strip() for word in split_words(text)] for text in (before, after))
    runs: list[list[str]] = [[]]
    at = at_new = 0
    for one, other in align(words, words_new):
        if (one, other) != (at, at_new):
            runs.append([])
        runs[-1].append(words[one])
        at, at_new = one + 1, other + 1
    if (at, at_new) != (len(words), len(words_new)):
        runs.append([])
    return tuple(" ".join(run) for run in runs)


def _is_known_pattern(edit: Edit, patterns: Sequence[tuple[str, ...]]) -> bool:
    texts = [" ".join(word.strip() for word in split_words(text)) for text in (*edit.removed, *edit.added)]
    return any(all(_matches(text, pattern) for text in texts) for pattern in patterns)


def _matches(text: str, pattern: tuple[str, ...]) -> bool:
    """Say whether a text consists of the runs of a pattern, with anything between them."""
    first, *middle = pattern
    last = middle.pop() if middle else ""
    known = sum(map(len, pattern))
    if known < _LEAST_SHARE * len(text) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for run in middle:
        at = text.find(run, at, end)
        if at < 0:
            return False
        at += len(run)
    return at <= end


# Slots: whole blocks that are generated


def _find_slots(edits: Sequence[Edit]) -> dict[tuple[str, str], Slot]:
    """Return the slots of whole blocks that came and went, by the blocks before and after them that stayed."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for edit in edits:
        if not edit.paired:
            counts[edit.before, edit.after, "removed"] += len(edit.removed)
            counts[edit.before, edit.after, "added"] += len(edit.added)
    return {
        (before, after): (
            _digest_text(before),
            _digest_text(after),
            counts[before, after, "removed"],
            counts[before, after, "added"],
        )
        for before, after, _ in counts
    }


def _is_known_slot(slot: Slot, slots: Sequence[Slot], there: set[int]) -> bool:
    """Say whether as many blocks went and came between the same neighbours before.

    One neighbour is enough if the other one has not stayed.
    """
    before, after, *counts = slot
    for known_before, known_after, *known_counts in slots:
        if counts == known_counts and (
            (before == known_before and (after == known_after or known_after not in there))
            or (after == known_after and known_before not in there)
        ):
            return True
    return False


def _digest(version: PageVersion) -> list[volatile_text.Block]:
    return volatile_text.digest_lines(join_blocks(version.blocks or ()))


def _digest_text(text: str) -> int:
    return xxhash.xxh32_intdigest(text.encode("utf-8", "surrogatepass"))
