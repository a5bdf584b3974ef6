"""From the scores of a text to a verdict."""

import unicodedata
from collections.abc import Iterable

from gossamer.text.language.detection.running_text import is_running
from gossamer.text.language.model.language_evidence import Judgement
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.scripts import HAN, NONE, script_number
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
    return _detected(text, model.candidates(languages), model)


def detect_many(
    texts: Iterable[str], languages: Iterable[str] | None = None, model: Model | None = None
) -> list[Verdict]:
    """Say of each text which language it is in."""
    model = model or Model.load()
    allowed = model.candidates(languages)
    return [_detected(text, allowed, model) for text in texts]


def judged(text: str, allowed: bytes | None, model: Model, script: int = NONE) -> Judgement | None:
    """Return what there is in a text and which languages it may be in; None if it is no text.

    A script tells which words count; without one, that which leads in the text.
    """
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    found = model.scorer.judge(text, allowed, script)
    if found.junk > _MOST_JUNK * len(text) or not found.shares:
        return None
    if found.letters < _FEWEST_LETTERS and not any(script_number(ord(one)) == HAN for one in text):
        return None
    return found


def _detected(text: str, allowed: bytes | None, model: Model) -> Verdict:
    sample = _sampled(text)
    found = judged(sample, allowed, model)
    if found is None:
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
