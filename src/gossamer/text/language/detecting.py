"""From the scores of a text to a verdict."""

import math
import unicodedata
from collections.abc import Iterable

from gossamer.text.language.model import Model
from gossamer.text.language.plain import Score, score
from gossamer.text.language.verdict import UNKNOWN, Candidate, Verdict

# A longer text is known by stretches of it: from there on more of it changes nothing but the time.
_WHOLE = 20_000
_STRETCHES = 10
_STRETCH = 2_000

_FEWEST_LETTERS = 2
# Bytes that are no text, read as if they were, have a fifth of such characters; texts have none.
_MOST_JUNK = 0.1
# Words of a text depend on each other: the probability of a text grows with a power of its length, not with it.
_INDEPENDENCE = 0.5
_LEAST_SHARE = 0.005
_MOST_CANDIDATES = 5
# Seed 003, section 4.8: texts have 20 to 30 % of Zipf words, lists and tables fewer.
_RUNNING_SHARE = 0.2


def detect(text: str, languages: Iterable[str] | None = None, model: Model | None = None) -> Verdict:
    """Say which language a text is in; `languages` restricts the candidates, `model` is the shipped one."""
    model = model or Model.load()
    return _detected(text, None if languages is None else model.numbers(languages), model)


def detect_many(
    texts: Iterable[str], languages: Iterable[str] | None = None, model: Model | None = None
) -> list[Verdict]:
    """Say of each text which language it is in."""
    model = model or Model.load()
    allowed = None if languages is None else model.numbers(languages)
    return [_detected(text, allowed, model) for text in texts]


def _detected(text: str, allowed: frozenset[int] | None, model: Model) -> Verdict:
    sample = _sampled(text)
    if not sample.isascii() and not unicodedata.is_normalized("NFC", sample):
        sample = unicodedata.normalize("NFC", sample)
    found = score(model.table, model.weights, len(model.known), sample)
    if found.letters < _FEWEST_LETTERS or found.junk > _MOST_JUNK * len(sample):
        return UNKNOWN
    candidates = [at for at in model.of_script(found.script) if allowed is None or at in allowed]
    return _verdict(found, candidates, model) if candidates else UNKNOWN


def _sampled(text: str) -> str:
    """Return a text, or stretches from all over a long one."""
    if len(text) <= _WHOLE:
        return text
    gap = (len(text) - _STRETCH) // (_STRETCHES - 1)
    return "\n".join(text[at * gap : at * gap + _STRETCH] for at in range(_STRETCHES))


def _verdict(found: Score, numbers: list[int], model: Model) -> Verdict:
    penalties = {at: found.penalties[at] / 8 + model.known[at].handicap for at in numbers}
    best = min(penalties, key=lambda at: (penalties[at], at))
    steepness = 1 / (10 * max(1, found.words) ** _INDEPENDENCE)
    odds = {at: math.exp((penalties[best] - penalty) * steepness) for at, penalty in penalties.items()}
    total = sum(odds.values())
    named = sorted(
        (at for at in odds if odds[at] >= _LEAST_SHARE * total), key=lambda at: (penalties[at], at)
    )
    candidates = tuple(Candidate(model.known[at].code, odds[at] / total) for at in named[:_MOST_CANDIDATES])
    zipf_share = found.zipf_words[best] / found.words
    return Verdict(
        model.known[best].code, candidates, candidates[0].share, zipf_share >= _RUNNING_SHARE, zipf_share
    )
