"""Find the phrases in which texts go on after some words: “regular ex” goes on as “regular expression operations”."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from gossamer.search.terms.analysis import get_analyser, split_text
from gossamer.search.terms.stop_words import is_stop_word

# A phrase does not go on across a sentence, a bracket, a line or a dash.
_ENDS = re.compile(r"[^\w\s'’.-]+|[.-]\s|[\n\t]+|\s-")
_MOST_WORDS = 4
_LEAST_PAGES = 2
# A longer phrase stands for a shorter one that it begins with if it is at least this share of it.
_SAME = 0.6
_BEFORE, _AFTER = 80, 100
"""Characters that are read before and after a place."""
_PLAIN_LETTERS = {
    code: plain
    for code in range(0xC0, 0x250)
    if (plain := unicodedata.normalize("NFKD", chr(code))[0]).isascii() and plain.isalpha()
}
"""Latin letters without their accents, each one letter."""
_ACCENTED = re.compile("[\u00c0-\u024f]")
_BETWEEN = 3
"""Characters that may be between two words of a phrase."""


def find_phrases(texts: Iterable[tuple[str, str]], previous: list[str], start: str) -> list[str]:
    """Return how texts, each with its language, go on after the words `previous` with a word that begins with `start`.

    Both are in plain letters. No phrase ends in a stop word, and none begins with one unless words come before it.
    A phrase has two to four words, and at least two texts have it; after previous words, one word of one text is enough. The phrases
    in most texts come first. A phrase is left out if a longer one that begins with it is nearly as frequent. Cost: O(characters).
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for language, text in texts:
        for words in set(_list_continuations(text, previous, start)):
            ends = words[-1:] if previous else (words[0], words[-1])
            if not any(is_stop_word(word, language) for word in ends):
                counts[words] += 1
    shortest = 1 if previous else 2
    found = {words: times for words, times in counts.items() if times >= _LEAST_PAGES or len(words) < 2}
    longer: Counter[tuple[str, ...]] = Counter()
    for words, times in found.items():
        for length in range(1, len(words)):
            longer[words[:length]] = max(longer[words[:length]], times)
    best = [
        words for words, times in found.items() if len(words) >= shortest and longer[words] < _SAME * times
    ]
    best.sort(key=lambda words: (-found[words], len(words), words))
    return [" ".join(words) for words in best]


def _list_continuations(text: str, previous: list[str], start: str) -> Iterator[tuple[str, ...]]:
    """Yield the words from each place on at which a text goes on as typed.

    Only what is around such a place is split into words: splitting all of the text took three times as long.
    """
    plain = get_analyser("")
    folded = (text.translate(_PLAIN_LETTERS) if _ACCENTED.search(text) else text).lower()
    if len(folded) != len(text):  # of a few letters, the small form is two characters
        folded = text
    for match in re.finditer(re.escape(start), folded):
        at = match.start()
        if at and folded[at - 1].isalnum():
            continue
        if previous:
            # Most places are passed over by a look at the word before them.
            if previous[-1] not in folded[max(0, at - len(previous[-1]) - _BETWEEN) : at]:
                continue
            before = split_text(_ENDS.split(text[max(0, at - _BEFORE) : at])[-1])
            if [plain[one] for one in before[-len(previous) :]] != previous:
                continue
        after = text[at : at + _AFTER]
        piece = _ENDS.split(after, maxsplit=1)[0]
        words = split_text(piece)
        if len(piece) == _AFTER:  # the last word may have been cut off
            words.pop()
        for length in range(1, min(_MOST_WORDS, len(words)) + 1):
            yield tuple(words[:length])
