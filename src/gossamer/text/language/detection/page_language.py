"""The language of a page, by a few words of its text: cheap enough for every page of a crawl."""

from collections.abc import Iterable
from typing import NamedTuple

from gossamer.text.language.detection.detect_language import judged
from gossamer.text.language.model.language_evidence import Judgement
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.sample_text import sample_of
from gossamer.text.language.model.scripts import NONE
from gossamer.text.language.related_languages import family_of

# Fewer are a title and a menu, which tell little: such a page counts as unknown.
_FEWEST_CHARACTERS = 40
# Seed 003, section 4.7, keeps sentences that are recognised by so much.
SURE = 0.7


class _Look(NamedTuple):
    """A glance at a page, and what it must show so that no other is taken."""

    stretches: int
    characters: int
    """Of each stretch."""
    clear: float
    """The share that the best language must have."""
    clear_english: float


# Short stretches find a second language better than long ones. English stands on pages of all languages (seed 003, section
# 4.3): that page is English which is nothing else. What else was tried stands in docs/decisions/0010-page-languages.md.
_LOOKS = (_Look(12, 40, 0.99, 0.999), _Look(24, 60, 0.95, 0.99))
_FEWEST_WORDS = 8
# How many stretches of how many characters are recognised by letters as well, where no look was clear.
_SAMPLE = (20, 100)


def page_language(text: str, model: Model | None = None, languages: Iterable[str] | None = None) -> str:
    """Return the language of a page from its text; "" if there is too little to tell, or too much of a mixture.

    The script is that of the whole page. Words of lists in a few stretches from all over it are enough for most pages; where
    these leave a doubt, more are taken, and at last letters. Cost: some 20 microseconds, however long the page is.
    """
    if len(text) < _FEWEST_CHARACTERS:
        return ""
    model = model or Model.load()
    allowed = model.candidates(languages)
    script = NONE
    for look in _LOOKS:
        script, found = model.scorer.glance(text, look.stretches, look.characters, allowed)
        if found.words >= _FEWEST_WORDS and found.shares:
            code, share = _best(found, model)
            if share >= (look.clear_english if code == "en" else look.clear):
                return code
    sampled = judged(sample_of(text, *_SAMPLE), allowed, model, script)
    return _unless_mixed(sampled, model) if sampled is not None else ""


def _best(found: Judgement, model: Model) -> tuple[str, float]:
    at, share = found.shares[0]
    return model.known[at].code, share


def _unless_mixed(found: Judgement, model: Model) -> str:
    """Return the best language, unless others that are no relatives of it have too large a share."""
    code, _ = _best(found, model)
    family = family_of(code)
    of_family = sum(share for at, share in found.shares if family_of(model.known[at].code) == family)
    return code if of_family >= SURE else ""
