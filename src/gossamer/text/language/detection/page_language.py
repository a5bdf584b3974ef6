"""The language of a page from a few of its words, cheap enough for every page of a crawl."""

from collections.abc import Iterable
from typing import NamedTuple

from gossamer.text.language.detection.detect_language import judge_text
from gossamer.text.language.model.language_evidence import LanguageEvidence
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.sample_text import sample_text
from gossamer.text.language.model.scripts import NONE
from gossamer.text.language.related_languages import find_family
from gossamer.text.language.verdict import SURE

# A shorter text is a title and a menu, which say little: such a page counts as unknown.
_FEWEST_CHARACTERS = 40


class _SamplePlan(NamedTuple):
    """A sample of a page, and the shares from which its result is accepted."""

    stretches: int
    characters: int
    """Of each stretch."""
    clear: float
    """The share that the best language must have."""
    clear_english: float


# Short stretches find a second language better than long ones. English occurs on pages of all languages (Stein 1997,
# section 4.3), so a page counts as English only if it is hardly anything else. Alternatives: docs/decisions/0010-page-languages.md.
_SAMPLE_PLANS = (_SamplePlan(12, 40, 0.99, 0.999), _SamplePlan(24, 60, 0.95, 0.99))
_FEWEST_WORDS = 8
# The number of stretches and their characters that are also judged by letters, where no sample was clear.
_LETTER_SAMPLE = (20, 100)


def page_language(text: str, model: Model | None = None, languages: Iterable[str] | None = None) -> str:
    """Return the language of a page from its text; "" if the text is too short or too mixed.

    The script is the leading one of the whole page. For most pages, known words in a few stretches spread over the page
    are enough; in doubt, more stretches are read, and finally letters. Cost: about 20 microseconds for any length.
    """
    if len(text) < _FEWEST_CHARACTERS:
        return ""
    model = model or Model.load()
    allowed = model.select_candidates(languages)
    script = NONE
    for plan in _SAMPLE_PLANS:
        script, found = model.scorer.judge_sample(text, plan.stretches, plan.characters, allowed)
        if found.words >= _FEWEST_WORDS and found.shares:
            code, share = _find_best(found, model)
            if share >= (plan.clear_english if code == "en" else plan.clear):
                return code
    sampled = judge_text(sample_text(text, *_LETTER_SAMPLE), allowed, model, script)
    return _choose_unless_mixed(sampled, model) if sampled is not None else ""


def _find_best(found: LanguageEvidence, model: Model) -> tuple[str, float]:
    at, share = found.shares[0]
    return model.known[at].code, share


def _choose_unless_mixed(found: LanguageEvidence, model: Model) -> str:
    """Return the best language, or "" if languages outside its family have too large a share."""
    code, _ = _find_best(found, model)
    family = find_family(code)
    of_family = sum(share for at, share in found.shares if find_family(model.known[at].code) == family)
    return code if of_family >= SURE else ""
