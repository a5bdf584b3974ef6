"""Sentences to learn from: those of pages whose language is said, each once, and some kept back to measure with."""

from collections.abc import Iterable

import msgspec
import xxhash

from gossamer.text.language.model.plain_scorer import leading_script
from gossamer.text.language.model.scripts import UNSPACED
from gossamer.text.language.training.page_labels import Label

FEWEST_WORDS = 4
"""Shorter sentences are headings, names and dates more often than not."""
# Without spaces a sentence is known by its characters.
_FEWEST_CHARACTERS = 12
# So many sentences of a language are enough: lists of 200,000 sentences hold 100,000 words.
MOST_SENTENCES = 200_000
# One page of so many is kept back.
_KEPT_BACK = 5
_MOST_CHARACTERS = 1_000


class Collected(msgspec.Struct):
    """What was collected, by the language that pages are said to be in."""

    to_learn: dict[str, list[str]] = {}
    to_measure: dict[str, list[str]] = {}
    pages: dict[str, int] = {}
    shared: dict[str, int] = {}
    """Sentences that were left out because they stand on pages of other languages too."""


class Collector:
    """Takes sentences page by page and keeps a bounded sample of them, the same for the same pages."""

    def __init__(self, most_sentences: int = MOST_SENTENCES) -> None:
        self._learn: dict[str, _Sample] = {}
        self._measure: dict[str, _Sample] = {}
        self._pages: dict[str, int] = {}
        self._most = most_sentences

    def add(self, label: Label, page: int, sentences: Iterable[str]) -> None:
        """Take the sentences of a page; every fifth page whose language is sure is measured with instead."""
        self._pages[label.language] = self._pages.get(label.language, 0) + 1
        kept_back = label.is_sure and page % _KEPT_BACK == 0
        samples = self._measure if kept_back else self._learn
        sample = samples.setdefault(
            label.language, _Sample(self._most // _KEPT_BACK if kept_back else self._most)
        )
        for sentence in sentences:
            if is_whole(sentence):
                sample.add(sentence)

    def collected(self) -> Collected:
        """Return all that was kept; what stands on pages of both kinds is not measured with.

        A sentence on pages of several languages says nothing of any: it is English that nobody translated, if there is
        English among them, or a name.
        """
        seen = self._languages_of_sentences()
        shared = {key for key, codes in seen.items() if len(codes) > 1}
        not_english = {key for key in shared if "en" not in seen[key]}
        learnt = {key for sample in self._learn.values() for key in sample.sentences}
        learn = {
            code: sample.without(not_english if code == "en" else shared)
            for code, sample in self._learn.items()
        }
        measure = {code: sample.without(learnt | shared) for code, sample in self._measure.items()}
        return Collected(
            {code: sentences for code, sentences in sorted(learn.items()) if sentences},
            {code: sentences for code, sentences in sorted(measure.items()) if sentences},
            dict(sorted(self._pages.items())),
            {code: len(shared & sample.sentences.keys()) for code, sample in sorted(self._learn.items())},
        )

    def _languages_of_sentences(self) -> dict[int, set[str]]:
        seen: dict[int, set[str]] = {}
        for samples in (self._learn, self._measure):
            for code, sample in samples.items():
                for key in sample.sentences:
                    seen.setdefault(key, set()).add(code)
        return seen


class _Sample:
    """Sentences by their hashes: when there are too many, those with the higher half of the hashes go."""

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

    def without(self, keys: set[int]) -> list[str]:
        return [sentence for key, sentence in sorted(self.sentences.items()) if key not in keys]


def is_whole(sentence: str) -> bool:
    """Say whether this is long enough for a sentence, and not so long that it can be none."""
    if len(sentence) > _MOST_CHARACTERS:
        return False
    if sentence.count(" ") >= FEWEST_WORDS - 1:
        return True
    script, letters = leading_script([ord(character) for character in sentence])
    return script in UNSPACED and letters >= _FEWEST_CHARACTERS
