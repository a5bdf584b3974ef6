"""Sentences to learn from: words of a language as often as it uses them, or of a language that nobody speaks."""

from random import Random

from gossamer.lab.writing.vocabulary import load_lexicon

_SYLLABLES = ("va", "lu", "mé", "qui", "zor", "thy", "nak", "pli", "œu", "ghe", "sta", "rrø")


def written(language: str, count: int, seed: int = 1) -> list[str]:
    """Return sentences of ten words that the language has, drawn by frequency."""
    draw, chance = load_lexicon(language).draw, Random(f"{language}{seed}")
    return [" ".join(chance.choices(draw, k=10)).capitalize() + "." for _ in range(count)]


def invented(count: int, seed: int = 1) -> list[str]:
    """Return sentences of a language that nobody speaks; its words are the same whatever the seed."""
    words = ["".join(Random(number).choices(_SYLLABLES, k=1 + number % 4)) for number in range(400)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    chance = Random(seed)
    return [" ".join(chance.choices(words, weights, k=10)).capitalize() + "." for _ in range(count)]
