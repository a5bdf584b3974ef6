"""Word lists: counts of words in sentences, split as the scorer splits them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gossamer.text.language.model.plain_scorer import find_leading_script, split_words
from gossamer.text.language.model.scripts import UNSPACED, find_script

WordList = Mapping[str, int]
"""Words and their counts; in scripts without spaces, runs of characters, which count once for each character."""


def count_words(sentences: Iterable[str]) -> Counter[str]:
    """Count the words of sentences. Cost: 20 microseconds for each new word, almost nothing for others."""
    raw: Counter[str] = Counter()
    for sentence in sentences:
        raw.update(sentence.split())
    words: Counter[str] = Counter()
    for between_spaces, times in raw.items():
        for word in _split_words(between_spaces):
            words[word] += times * (len(word) if is_unspaced(word) else 1)
    return words


# Every round of training counts the same sentences.
@lru_cache(maxsize=1 << 18)
def _split_words(between_spaces: str) -> tuple[str, ...]:
    codes = [ord(character) for character in between_spaces]
    script, letters = find_leading_script(codes)
    return tuple("".join(map(chr, word)) for word in split_words(codes, script)) if letters else ()


def is_unspaced(word: str) -> bool:
    """Say whether a word is a run of characters in a script without spaces."""
    return find_script(ord(word[0])) in UNSPACED


def compute_frequencies(words: WordList) -> list[float]:
    """Return the shares of all words, the most frequent first; of characters in scripts without spaces.

    Source: Stein 1997, section 4.8 and figure 4.1.
    """
    counts: Counter[str] = Counter()
    for word, times in words.items():
        if is_unspaced(word):
            counts.update({character: times // len(word) * word.count(character) for character in word})
        else:
            counts[word] += times
    total = counts.total()
    return [times / total for _, times in counts.most_common()]
