"""Find the phrases in which texts go on after some words: “regular ex” goes on as “regular expression operations”."""

import re
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
    """Yield the words from each place on at which a text goes on as typed."""
    plain = get_analyser("")
    for piece in _ENDS.split(text):
        if piece.isascii() and start not in piece.lower():
            continue  # most pieces: splitting them took half of the time
        words = split_text(piece)
        for at, word in enumerate(words):
            if not plain[word].startswith(start) or at < len(previous):
                continue
            if [plain[one] for one in words[at - len(previous) : at]] == previous:
                for length in range(1, min(_MOST_WORDS, len(words) - at) + 1):
                    yield tuple(words[at : at + length])
