"""Measuring a language model: accuracy by language, their mean, and confusions."""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from gossamer.errors import BadInput
from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.language_names import parse_code
from gossamer.text.language.model.model import Model

UNKNOWN = ""
"""The language of a text that was not recognised."""


class LanguageResult(msgspec.Struct, frozen=True):
    """The results for the texts of one language."""

    texts: int
    right: int
    taken_for: dict[str, int]
    """The languages that the others were taken for, the most frequent first; "" for unknown."""

    @property
    def accuracy(self) -> float:
        """The share of the texts that were recognised."""
        return self.right / self.texts


class Evaluation(msgspec.Struct, frozen=True):
    """The results for texts with known languages."""

    languages: dict[str, LanguageResult]

    @property
    def texts(self) -> int:
        """The number of texts."""
        return sum(result.texts for result in self.languages.values())

    @property
    def accuracy(self) -> float:
        """The share of all texts that were recognised."""
        return sum(result.right for result in self.languages.values()) / self.texts if self.texts else 0.0

    @property
    def macro_accuracy(self) -> float:
        """The mean accuracy of the languages, regardless of their numbers of texts."""
        accuracies = [result.accuracy for result in self.languages.values()]
        return sum(accuracies) / len(accuracies) if accuracies else 0.0

    def list_confusions(self) -> list[tuple[str, str, int]]:
        """Return the true language, the detected one and the number of texts, the most frequent first."""
        found = [
            (code, taken, times)
            for code, result in self.languages.items()
            for taken, times in result.taken_for.items()
        ]
        return sorted(found, key=lambda one: (-one[2], one[0], one[1]))


def evaluate(
    labelled: Iterable[tuple[str, str]], model: Model | None = None, languages: Iterable[str] | None = None
) -> Evaluation:
    """Detect the languages of texts with known languages, and compare."""
    pairs = list(labelled)
    verdicts = detect_many((text for _, text in pairs), languages, model)
    taken: dict[str, Counter[str]] = {}
    for (code, _), verdict in zip(pairs, verdicts, strict=True):
        taken.setdefault(code, Counter())[verdict.language or UNKNOWN] += 1
    return Evaluation({code: _summarise(code, found) for code, found in sorted(taken.items())})


def _summarise(code: str, found: Counter[str]) -> LanguageResult:
    wrong = {taken: times for taken, times in found.most_common() if taken != code}
    return LanguageResult(found.total(), found[code], wrong)


def read_labelled(lines: Iterable[str], name: str) -> Iterator[tuple[str, str]]:
    """Read lines of a language, a tab and a text; another line that is not empty raises BadInput."""
    for number, line in enumerate(lines, 1):
        stripped = line.rstrip("\r\n")
        if not stripped.strip():
            continue
        declared, tab, text = stripped.partition("\t")
        if not tab:
            raise BadInput(f"{name}, line {number}: there is no tab; write a language, a tab and a text")
        code = parse_code(declared)
        if not code:
            raise BadInput(f"{name}, line {number}: {declared[:40]!r} is no language code, such as de or nb")
        yield code, text
