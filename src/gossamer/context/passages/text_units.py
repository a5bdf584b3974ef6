"""Split a text into units that passages are made of: paragraphs, lines of code, and the sentences of long paragraphs."""

from collections.abc import Iterator
from itertools import accumulate

from gossamer.net.main_text.sentences import sentences
from gossamer.search.terms.analysis import is_unspaced

# A paragraph of more words is split, so that a passage can begin within it.
_LONG_UNIT = 60
# What has fewer spaces than words have is counted by its characters: names of a thousand letters, and scripts without spaces.
_LONG_WORD_CHARACTERS = 12
_UNSPACED_CHARACTERS = 2

Unit = tuple[int, int, int]
"""Where a unit begins and ends in its text, and its number of words."""


def split_units(text: str, most_words: int) -> list[Unit]:
    """Return the units of a text in order, each of at most `most_words`. Cost: O(characters)."""
    long = min(_LONG_UNIT, most_words)
    lines = text.split("\n")
    # Without a step of Python for each line: a page has hundreds, and few of them are long.
    counts = list(map(count_words, lines)) if is_unspaced(text) else list(map(len, map(str.split, lines)))
    lengths = list(map(len, lines))
    begins = [0, *accumulate(length + 1 for length in lengths)]
    if max(counts) <= long and max(lengths) <= long * _LONG_WORD_CHARACTERS:
        rows = zip(begins, lengths, counts, strict=False)
        return [(begin, begin + length, words) for begin, length, words in rows if words]
    units: list[Unit] = []
    for line, begin, length, words in zip(lines, begins, lengths, counts, strict=False):
        if words > long or length > long * _LONG_WORD_CHARACTERS:
            units += _split_line(line, begin, most_words)
        elif words:
            units.append((begin, begin + length, words))
    return units


def count_words(text: str) -> int:
    """Return the number of words of a text, as its length suggests where it has no spaces."""
    if is_unspaced(text):
        return -(-len(text) // _UNSPACED_CHARACTERS)
    return max(len(text.split()), len(text) // _LONG_WORD_CHARACTERS)


def _split_line(line: str, begin: int, most_words: int) -> Iterator[Unit]:
    """Yield the sentences of a line; those that are too long in pieces."""
    at = 0
    for sentence in sentences(line):
        at = line.index(sentence, at)
        words = count_words(sentence)
        if words <= most_words:
            yield begin + at, begin + at + len(sentence), words
        else:
            yield from _cut_sentence(sentence, begin + at, most_words)
        at += len(sentence)


def _cut_sentence(sentence: str, begin: int, most_words: int) -> Iterator[Unit]:
    """Yield pieces of a long sentence: between words where it has spaces, else anywhere."""
    most_characters = most_words * (
        _UNSPACED_CHARACTERS if is_unspaced(sentence) else _LONG_WORD_CHARACTERS // 2
    )
    start = 0
    while start < len(sentence):
        end = min(len(sentence), start + most_characters)
        if end < len(sentence) and (space := sentence.rfind(" ", start + most_characters // 2, end)) > 0:
            end = space
        piece = sentence[start:end]
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            yield begin + start + lead, begin + end, min(most_words, max(1, count_words(piece)))
        start = end
