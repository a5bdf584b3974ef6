"""Language detection of texts: from scores to verdicts."""

import unicodedata
from collections.abc import Iterable

from gossamer.text.language.detection.calibrate_shares import MOST_WORDS, calibrate_shares
from gossamer.text.language.detection.running_text import is_running
from gossamer.text.language.model.language_evidence import LanguageEvidence
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.scripts import HAN, NONE, find_script
from gossamer.text.language.verdict import NO_LANGUAGE, SURE, UNKNOWN, BestLanguage, Candidate, Verdict

# A longer text is sampled: more of it would change the time, but not the verdict.
_WHOLE = 20_000
_STRETCHES = 10
_STRETCH = 2_000

# A single letter is no word, but a single Han character is.
_FEWEST_LETTERS = 2
# Binary data decoded as text has a fifth of junk characters; texts have none.
_MOST_JUNK = 0.1


def detect(text: str, languages: Iterable[str] | None = None, model: Model | None = None) -> Verdict:
    """Return the language of a text; `languages` restricts the candidates, `model` replaces the shipped model."""
    model = model or Model.load()
    return _detect(text, model.select_candidates(languages), model)


def detect_many(
    texts: Iterable[str], languages: Iterable[str] | None = None, model: Model | None = None
) -> list[Verdict]:
    """Return the verdict for each text, as `detect` does."""
    model = model or Model.load()
    allowed = model.select_candidates(languages)
    given = list(texts)
    # Blocks of a page repeat: a third of those of documentation do.
    verdicts = {text: _detect(text, allowed, model) for text in dict.fromkeys(given)}
    return [verdicts[text] for text in given]


class LanguageMemo:
    """Finds the best language of texts, each text once: those of a page repeat, and many blocks are one sentence."""

    def __init__(self, model: Model | None = None) -> None:
        self.model = model or Model.load()
        self._allowed = self.model.select_candidates(None)
        self._known: dict[str, BestLanguage] = {}

    def find(self, text: str) -> BestLanguage:
        """Return the best language of a text, as `detect` does."""
        best = self._known.get(text)
        if best is None:
            best = self._known[text] = self._find(text)
        return best

    def _find(self, text: str) -> BestLanguage:
        found = _judge_calibrated(_sample_long_text(text), self._allowed, self.model)
        if found is None:
            return NO_LANGUAGE
        at, share = found.shares[0]
        return BestLanguage(self.model.known[at].code, share, found.zipf_words / found.words)


def judge_text(text: str, allowed: bytes | None, model: Model, script: int = NONE) -> LanguageEvidence | None:
    """Return the evidence for languages in a text; None if it is no text.

    Only words in `script` count; by default, the leading script of the text.
    """
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    found = model.scorer.judge(text, allowed, script)
    if found.junk > _MOST_JUNK * len(text) or not found.shares:
        return None
    if found.letters < _FEWEST_LETTERS and not any(find_script(ord(one)) == HAN for one in text):
        return None
    return found


def _detect(text: str, allowed: bytes | None, model: Model) -> Verdict:
    sample = _sample_long_text(text)
    found = _judge_calibrated(sample, allowed, model)
    if found is None:
        return UNKNOWN
    candidates = tuple([Candidate(model.known[at].code, share) for at, share in found.shares])
    zipf_share = found.zipf_words / found.words
    best = candidates[0]
    runs = is_running(sample, found.letters, zipf_share)
    return Verdict(best.language, candidates, best.share, runs, zipf_share, best.share >= SURE)


def _judge_calibrated(sample: str, allowed: bytes | None, model: Model) -> LanguageEvidence | None:
    """Return the evidence for languages in a text that is not too long; None if it is no text."""
    found = judge_text(sample, allowed, model)
    if found is None or found.words > MOST_WORDS:
        return found
    candidates = len(model.known) if allowed is None else sum(allowed)
    return found._replace(shares=calibrate_shares(found.shares, found.words, candidates))


def _sample_long_text(text: str) -> str:
    """Return a text, or stretches spread over it if it is long."""
    if len(text) <= _WHOLE:
        return text
    gap = (len(text) - _STRETCH) // (_STRETCHES - 1)
    return "\n".join(text[at * gap : at * gap + _STRETCH] for at in range(_STRETCHES))
