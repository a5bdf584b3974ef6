"""Find the collocates of a word: words that stand near it more often than chance would have them."""

import math

import msgspec
import numpy as np

from gossamer.context.words.concordance.find_lines import Matches, SegmentMatches
from gossamer.context.words.keyness import log_likelihood
from gossamer.context.words.tokens.key_counts import KeyCounts, add_up
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.context.words.word_facts import name_words

SPAN = 5
"""How many tokens to each side count as near."""
_LEAST_TOGETHER = 3
# 14 is the largest possible value, so that values of different corpora can be compared (Rychlý 2008).
_HIGHEST_DICE = 14.0


class Collocate(msgspec.Struct, frozen=True, gc=False):
    """A word that stands near another one."""

    word: str
    language: str
    together: int
    """How often it stands within the span, in the same sentence."""
    count: int
    """How often it occurs in all."""
    log_dice: float
    score: float
    """G², as in keyword lists: near the word against everywhere else."""


def find_collocates(
    store: TokenStore, matches: Matches, number: int, span: int = SPAN, least: int = _LEAST_TOGETHER
) -> tuple[Collocate, ...]:
    """Return the words that stand within `span` tokens of a phrase, by log Dice, the most typical first.

    Log Dice is 14 + log₂(2·together / (times of the phrase + times of the word)): it does not depend on the size of the
    collection. Words with a negative G² are left out. Source: Rychlý 2008. Cost: O(places · span).
    """
    near = add_up(_count_near(part, matches.length, span) for part in matches.parts)
    totals = store.get_totals(lemmas=False)
    keys, together = near.keys[near.counts >= least], near.counts[near.counts >= least]
    # Of a phrase that is not looked for in the whole collection, near words may be counted twice or elsewhere.
    counts = np.maximum(totals.look_up(keys), 1)
    elsewhere = np.maximum(counts - together, 0)
    score = log_likelihood(together, elsewhere, near.total, max(1, totals.total - near.total))
    dice = _HIGHEST_DICE + np.log2(2 * together / (matches.number + counts))
    order = np.lexsort((keys, -score, -dice))
    order = order[score[order] > 0][:number]
    names = name_words(store, keys[order], lemmas=False)
    return tuple(
        Collocate(
            *names[int(keys[at])],
            int(together[at]),
            int(counts[at]),
            float(min(dice[at], _HIGHEST_DICE)),
            float(score[at]) if math.isfinite(score[at]) else 0.0,
        )
        for at in order.tolist()
    )


def _count_near(part: SegmentMatches, length: int, span: int) -> KeyCounts:
    """Count the words around the places of a phrase, within their sentences."""
    segment, starts = part.segment, part.segment.sentence_starts
    begin, end = starts[part.sentences], starts[part.sentences + 1]
    offsets = [*range(-span, 0), *range(length, length + span)]
    counts = np.zeros(len(segment.forms), np.int64)
    for offset in offsets:
        at = part.positions + offset
        at = at[(at >= begin) & (at < end)]
        counts += np.bincount(segment.tokens[at] >> np.uint32(1), minlength=len(counts))
    used = np.flatnonzero((counts > 0) & segment.get("is_word"))
    return KeyCounts(segment.get("form_keys")[used], counts[used])
