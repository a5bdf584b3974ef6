"""Word lists: how often sentences use each word, words being what the scorer takes for one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gossamer.text.language.model.plain_scorer import leading_script, words_of
from gossamer.text.language.model.scripts import UNSPACED, script_number

WordList = Mapping[str, int]
"""Words and how often each was used; where words are not separated, runs, which count as much as their characters."""


def counted(sentences: Iterable[str]) -> Counter[str]:
    """Count the words of sentences. Cost: 20 microseconds for a word that is new, next to nothing for others."""
    raw: Counter[str] = Counter()
    for sentence in sentences:
        raw.update(sentence.split())
    words: Counter[str] = Counter()
    for between_spaces, times in raw.items():
        for word in _words_in(between_spaces):
            words[word] += times * (len(word) if is_unspaced(word) else 1)
    return words


# The same sentences are counted in every round of a training.
@lru_cache(maxsize=1 << 18)
def _words_in(between_spaces: str) -> tuple[str, ...]:
    codes = [ord(character) for character in between_spaces]
    script, letters = leading_script(codes)
    return tuple("".join(map(chr, word)) for word in words_of(codes, script)) if letters else ()


def is_unspaced(word: str) -> bool:
    """Say whether this is a run of characters of a script that separates no words."""
    return script_number(ord(word[0])) in UNSPACED


def frequencies(words: WordList) -> list[float]:
    """Return the shares of all words, the most frequent first; characters where words are not separated.

    Source: seed 003, section 4.8 and figure 4.1.
    """
    counts: Counter[str] = Counter()
    for word, times in words.items():
        if is_unspaced(word):
            counts.update({character: times // len(word) * word.count(character) for character in word})
        else:
            counts[word] += times
    total = counts.total()
    return [times / total for _, times in counts.most_common()]
