"""From the scores of a text to a verdict."""

import unicodedata
from collections.abc import Iterable

from gossamer.text.language.model import Model
from gossamer.text.language.running import is_running
from gossamer.text.language.scripts import HAN, script_number
from gossamer.text.language.verdict import UNKNOWN, Candidate, Verdict

# A longer text is known by stretches of it: from there on more of it changes nothing but the time.
_WHOLE = 20_000
_STRETCHES = 10
_STRETCH = 2_000

# One letter is no word, but a character of Han is.
_FEWEST_LETTERS = 2
# Bytes that are no text, read as if they were, have a fifth of such characters; texts have none.
_MOST_JUNK = 0.1


def detect(text: str, languages: Iterable[str] | None = None, model: Model | None = None) -> Verdict:
    """Say which language a text is in; `languages` restricts the candidates, `model` is the shipped one."""
    model = model or Model.load()
    return _detected(text, None if languages is None else model.only(languages), model)


def detect_many(
    texts: Iterable[str], languages: Iterable[str] | None = None, model: Model | None = None
) -> list[Verdict]:
    """Say of each text which language it is in."""
    model = model or Model.load()
    allowed = None if languages is None else model.only(languages)
    return [_detected(text, allowed, model) for text in texts]


def _detected(text: str, allowed: bytes | None, model: Model) -> Verdict:
    sample = _sampled(text)
    if not sample.isascii() and not unicodedata.is_normalized("NFC", sample):
        sample = unicodedata.normalize("NFC", sample)
    found = model.scorer.judge(sample, allowed)
    if found.junk > _MOST_JUNK * len(sample) or not found.shares:
        return UNKNOWN
    if found.letters < _FEWEST_LETTERS and not any(
        script_number(ord(character)) == HAN for character in sample
    ):
        return UNKNOWN
    candidates = tuple([Candidate(model.known[at].code, share) for at, share in found.shares])
    zipf_share = found.zipf_words / found.words
    best = candidates[0]
    runs = is_running(sample, found.letters, zipf_share)
    return Verdict(best.language, candidates, best.share, runs, zipf_share)


def _sampled(text: str) -> str:
    """Return a text, or stretches from all over a long one."""
    if len(text) <= _WHOLE:
        return text
    gap = (len(text) - _STRETCH) // (_STRETCHES - 1)
    return "\n".join(text[at * gap : at * gap + _STRETCH] for at in range(_STRETCHES))
