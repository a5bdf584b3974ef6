"""Sentences for tests: words of a language by their frequency, or of an invented language."""

from random import Random

from gossamer.lab.writing.vocabulary import load_lexicon

_SYLLABLES = ("va", "lu", "mé", "qui", "zor", "thy", "nak", "pli", "œu", "ghe", "sta", "rrø")


def write_sentences(language: str, count: int, seed: int = 1) -> list[str]:
    """Return sentences of ten words of the language, drawn by frequency."""
    draw, chance = load_lexicon(language).draw, Random(f"{language}{seed}")
    return [" ".join(chance.choices(draw, k=10)).capitalize() + "." for _ in range(count)]


def invent_sentences(count: int, seed: int = 1) -> list[str]:
    """Return sentences of an invented language; its words are the same for any seed."""
    words = ["".join(Random(number).choices(_SYLLABLES, k=1 + number % 4)) for number in range(400)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    chance = Random(seed)
    return [" ".join(chance.choices(words, weights, k=10)).capitalize() + "." for _ in range(count)]
