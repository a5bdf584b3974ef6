"""N-gram counts, recovered from lingua's models.

lingua 1.3 stores, for 1- to 5-grams within words, the probability of the last letter after the others, as exact fractions. These
give the counts, and the counts give how often each n-gram begins or ends a word: its count less those of all longer
n-grams that extend it. So the edges of words are known exactly, and every word of up to three letters.
"""

import json
from importlib.resources import files

import brotli  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

from gossamer.text.language.model.count_ngrams import (
    Codes,
    Counts,
    Floats,
    Grams,
    Keys,
    hash_grams,
    sum_grams,
)
from gossamer.text.language.model.plain_scorer import END_OF_WORD, START_OF_WORD

LENGTHS = {1: "unigrams", 2: "bigrams", 3: "trigrams", 4: "quadrigrams", 5: "fivegrams"}


def list_lingua_languages() -> list[str]:
    """Return the languages that lingua has models of."""
    folder = files("lingua") / "language-models"
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and len(entry.name) == 2)


def read_lingua_counts(language: str) -> dict[int, Grams]:
    """Return the counts of the n-grams within words."""
    counts: dict[int, Grams] = {}
    for length, name in LENGTHS.items():
        path = files("lingua") / "language-models" / language / f"{name}.json.br"
        if not path.is_file():
            break
        codes, likely, letters = _read_fractions(
            json.loads(brotli.decompress(path.read_bytes()))["ngrams"], length
        )
        before = (
            _sum_at(
                hash_grams(counts[length - 1].codes), counts[length - 1].counts, hash_grams(codes[:, :-1])
            )
            if length > 1
            else letters
        )
        counts[length] = Grams(codes, np.rint(likely * before))
    return counts


def _read_fractions(by_fraction: dict[str, str], length: int) -> tuple[Codes, Floats, float]:
    """Return n-grams, their fractions, and the largest denominator, which for letters is their number."""
    texts: list[str] = []
    likely: list[float] = []
    largest = 1
    for fraction, joined in by_fraction.items():
        numerator, denominator = map(int, fraction.split("/"))
        these = [text for text in joined.split(" ") if len(text) == length]
        texts += these
        likely += [numerator / denominator] * len(these)
        largest = max(largest, denominator)
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).reshape(-1, length)
    return codes, np.array(likely), float(largest)


def _sum_at(keys: Keys, counts: Floats, wanted: Keys) -> Floats:
    """Return the sum of the counts of each wanted key, 0 for a missing one."""
    unique, at = np.unique(keys, return_inverse=True)
    if not len(unique):
        return np.zeros(len(wanted))
    sums = np.bincount(at, counts)
    place = np.minimum(np.searchsorted(unique, wanted), len(unique) - 1)
    found: Floats = np.where(unique[place] == wanted, sums[place], 0.0)
    return found


def add_edges(inner: Counts) -> dict[int, Grams]:
    """Add the n-grams that include the beginning or the end of a word."""
    longest = max(inner)
    found: dict[int, list[Grams]] = {length: [grams] for length, grams in inner.items()}
    for length in range(1, longest):
        codes, counts = inner[length]
        keys, longer = hash_grams(codes), inner[length + 1]
        begins = counts - _sum_at(hash_grams(longer.codes[:, 1:]), longer.counts, keys)
        ends = counts - _sum_at(hash_grams(longer.codes[:, :-1]), longer.counts, keys)
        start = np.full((len(codes), 1), START_OF_WORD, dtype=np.uint32)
        end = np.full((len(codes), 1), END_OF_WORD, dtype=np.uint32)
        found[length + 1] += [
            _drop_unseen(np.hstack([start, codes]), begins),
            _drop_unseen(np.hstack([codes, end]), ends),
        ]
        if length == 1:
            found[1].append(Grams(np.array([[END_OF_WORD]], dtype=np.uint32), np.array([ends.clip(0).sum()])))
        if length + 2 <= longest:
            longest_two = inner[length + 2]
            both = (
                begins
                + ends
                - counts
                + _sum_at(hash_grams(longest_two.codes[:, 1:-1]), longest_two.counts, keys)
            )
            found[length + 2].append(_drop_unseen(np.hstack([start, codes, end]), both))
    return {
        length: sum_grams(
            Grams(
                np.vstack([each.codes for each in several]), np.concatenate([each.counts for each in several])
            )
        )
        for length, several in found.items()
    }


def _drop_unseen(codes: Codes, counts: Floats) -> Grams:
    is_seen: NDArray[np.bool_] = counts > 0.5
    return Grams(codes[is_seen], counts[is_seen])


def list_short_words(counts: Counts) -> dict[str, float]:
    """Return every word of up to three letters, with its count."""
    words: dict[str, float] = {}
    for length in (3, 4, 5):
        if length in counts:
            codes, seen = counts[length]
            whole = (codes[:, 0] == START_OF_WORD) & (codes[:, -1] == END_OF_WORD)
            for row, count in zip(codes[whole].tolist(), seen[whole].tolist(), strict=True):
                words["".join(map(chr, row[1:-1]))] = count
    return words


# Serbian letters in Latin script, where three of them are two letters.
_TO_LATIN = dict(
    zip(
        "абвгдђежзијклљмнњопрстћуфхцчџш",
        [
            "a",
            "b",
            "v",
            "g",
            "d",
            "đ",
            "e",
            "ž",
            "z",
            "i",
            "j",
            "k",
            "l",
            "lj",
            "m",
            "n",
            "nj",
            "o",
            "p",
            "r",
            "s",
            "t",
            "ć",
            "u",
            "f",
            "h",
            "c",
            "č",
            "dž",
            "š",
        ],
        strict=True,
    )
)


def convert_to_latin(inner: Counts) -> dict[int, Grams]:
    """Return Serbian counts in Latin script.

    A window of Latin letters covers a window of Cyrillic ones, the first and the last perhaps in part: each Cyrillic
    n-gram gives the windows that cover exactly it, so the counts stay exact.
    """
    sums: dict[str, float] = {}
    for grams in inner.values():
        for row, count in zip(grams.codes.tolist(), grams.counts.tolist(), strict=True):
            parts = [_TO_LATIN.get(chr(code), "") for code in row]
            if not all(parts):
                continue
            whole = "".join(parts)
            for first in range(len(parts[0])):
                for cut in range(len(parts[-1])):
                    window = whole[first : len(whole) - cut]
                    if window and len(window) <= max(inner):
                        sums[window] = sums.get(window, 0.0) + count
    result: dict[int, Grams] = {}
    for length in inner:
        texts = [text for text in sums if len(text) == length]
        codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).reshape(-1, length)
        result[length] = Grams(codes, np.array([sums[text] for text in texts]))
    return result


def convert_to_cyrillic(word: str) -> str:
    """Return a Serbian word in Cyrillic script; digraphs become one letter."""
    for letter, written in sorted(_TO_LATIN.items(), key=lambda pair: -len(pair[1])):
        word = word.replace(written, letter)
    return word
