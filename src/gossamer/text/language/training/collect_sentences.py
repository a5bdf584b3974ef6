"""Collecting sentences of pages with a known language, each once; some are held out for measuring."""

from collections.abc import Iterable

import msgspec
import xxhash

from gossamer.text.language.model.plain_scorer import find_leading_script
from gossamer.text.language.model.scripts import UNSPACED
from gossamer.text.language.training.page_labels import Label

FEWEST_WORDS = 4
"""Shorter texts are mostly headings, names and dates."""
# In scripts without spaces, characters are counted instead of words.
_FEWEST_CHARACTERS = 12
# Enough for a language: 200,000 sentences have 100,000 different words.
MOST_SENTENCES = 200_000
# One page in this many is held out.
_HELD_OUT_EVERY = 5
_MOST_CHARACTERS = 1_000


class SentenceSample(msgspec.Struct):
    """The collected sentences, by the labelled language of their pages."""

    to_learn: dict[str, list[str]] = {}
    to_measure: dict[str, list[str]] = {}
    pages: dict[str, int] = {}
    shared: dict[str, int] = {}
    """The number of sentences left out because they also occur on pages of other languages."""


class SentenceCollector:
    """Collects sentences page by page into bounded samples that depend only on the set of pages."""

    def __init__(self, most_sentences: int = MOST_SENTENCES) -> None:
        self._learn: dict[str, _BoundedSample] = {}
        self._measure: dict[str, _BoundedSample] = {}
        self._pages: dict[str, int] = {}
        self._most = most_sentences

    def add(self, label: Label, page: int, sentences: Iterable[str]) -> None:
        """Add the sentences of a page; every fifth page with a sure label is held out for measuring."""
        self._pages[label.language] = self._pages.get(label.language, 0) + 1
        held_out = label.is_sure and page % _HELD_OUT_EVERY == 0
        samples = self._measure if held_out else self._learn
        sample = samples.setdefault(
            label.language, _BoundedSample(self._most // _HELD_OUT_EVERY if held_out else self._most)
        )
        for sentence in sentences:
            if is_sentence(sentence):
                sample.add(sentence)

    def to_sample(self) -> SentenceSample:
        """Return the samples; a sentence to learn from is not measured with.

        A sentence on pages of several languages is evidence for none: it is untranslated English, if English is among
        them, or a name.
        """
        seen = self._find_languages()
        shared = {key for key, codes in seen.items() if len(codes) > 1}
        not_english = {key for key in shared if "en" not in seen[key]}
        learnt = {key for sample in self._learn.values() for key in sample.sentences}
        learn = {
            code: sample.exclude(not_english if code == "en" else shared)
            for code, sample in self._learn.items()
        }
        measure = {code: sample.exclude(learnt | shared) for code, sample in self._measure.items()}
        return SentenceSample(
            {code: sentences for code, sentences in sorted(learn.items()) if sentences},
            {code: sentences for code, sentences in sorted(measure.items()) if sentences},
            dict(sorted(self._pages.items())),
            {code: len(shared & sample.sentences.keys()) for code, sample in sorted(self._learn.items())},
        )

    def _find_languages(self) -> dict[int, set[str]]:
        seen: dict[int, set[str]] = {}
        for samples in (self._learn, self._measure):
            for code, sample in samples.items():
                for key in sample.sentences:
                    seen.setdefault(key, set()).add(code)
        return seen


class _BoundedSample:
    """Sentences by hash: when there are too many, those in the upper half of the hash range are dropped."""

    def __init__(self, most: int) -> None:
        self.sentences: dict[int, str] = {}
        self._most = most
        self._below = 1 << 64

    def add(self, sentence: str) -> None:
        key = xxhash.xxh3_64_intdigest(sentence.encode("utf-8", "surrogatepass"))
        if key < self._below:
            self.sentences[key] = sentence
            if len(self.sentences) > self._most:
                self._below //= 2
                self.sentences = {key: kept for key, kept in self.sentences.items() if key < self._below}

    def exclude(self, keys: set[int]) -> list[str]:
        return [sentence for key, sentence in sorted(self.sentences.items()) if key not in keys]


def is_sentence(sentence: str) -> bool:
    """Say whether a text has a plausible length for a sentence."""
    if len(sentence) > _MOST_CHARACTERS:
        return False
    if sentence.count(" ") >= FEWEST_WORDS - 1:
        return True
    script, letters = find_leading_script([ord(character) for character in sentence])
    return script in UNSPACED and letters >= _FEWEST_CHARACTERS
