"""The languages of a page: of the whole, and of its blocks where it is mixed. What it declares is kept beside, not trusted."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.net.blocks import blocks
from gossamer.net.document import Block, Document
from gossamer.text.language.detecting import detect_many, judged
from gossamer.text.language.judgement import Judgement
from gossamer.text.language.model import Model
from gossamer.text.language.relatives import family_of
from gossamer.text.language.running import block_is_running
from gossamer.text.language.verdict import Candidate, Verdict

# The scripts of a long text are weighed by about so many of its characters.
_WEIGHED = 1_000
# How many stretches of how many characters are looked at first, and what they must show: else a second look is taken. Short
# stretches find a second language better than long ones. English stands on pages of all languages (seed 003, section
# 4.3): that page is English which is nothing else. Of 3,476 of Debian's guides, many of them translated in part, 99.8 % are
# recognised so, one in twenty at the second look; with the first alone, and English as sure as others, 98.9 %.
_FIRST_LOOK = (8, 50)
_FEWEST_WORDS = 8
_CLEAR = 0.99
_CLEAR_ENGLISH = 0.9999
_SECOND_LOOK = (20, 100)
# Fewer are a title and a menu, which tell little: such a page counts as unknown.
_FEWEST_CHARACTERS = 40
# Seed 003, section 4.7, keeps sentences that are recognised by so much.
SURE = 0.7
# A smaller share of the text is a quotation, not a second language.
_MIXED_SHARE = 0.1


class BlockLanguage(msgspec.Struct, frozen=True):
    """A block of a page, the language it is in, and whether it is running text."""

    block: Block
    language: str | None
    """That of the page, if the block itself is too short to tell."""
    running: bool


class PageLanguages(msgspec.Struct, frozen=True):
    """Which languages a page is in, by its running text."""

    language: str | None
    """The one that most of it is in; None if it has too little text to tell."""
    shares: tuple[Candidate, ...]
    """Of the characters of its running text, each language's share, the largest first."""
    mixed: bool
    """Whether a second language has a share of at least a tenth."""
    declared: tuple[str, ...]
    """What the page and its server declare, as written."""
    blocks: tuple[BlockLanguage, ...]


def page_language(text: str, model: Model | None = None, languages: Iterable[str] | None = None) -> str:
    """Return the language of a page from its text; "" if there is too little to tell, or too much of a mixture.

    The script is that of the whole page. A few words from all over it are enough for most pages; where these leave a
    doubt, more are taken. Cost: that of recognising 300 characters, for one page in twenty 2,000, however long it is.
    """
    if len(text) < _FEWEST_CHARACTERS:
        return ""
    model = model or Model.load()
    allowed = None if languages is None else model.only(languages)
    script = model.scorer.leading_script(text, max(1, len(text) // _WEIGHED))
    found = judged(sample_of(text, *_FIRST_LOOK), allowed, model, script)
    if found is not None and found.words >= _FEWEST_WORDS:
        code, share = _best(found, model)
        if share >= (_CLEAR_ENGLISH if code == "en" else _CLEAR):
            return code
    found = judged(sample_of(text, *_SECOND_LOOK), allowed, model, script)
    return _unless_mixed(found, model) if found is not None else ""


def _best(found: Judgement, model: Model) -> tuple[str, float]:
    at, share = found.shares[0]
    return model.known[at].code, share


def _unless_mixed(found: Judgement, model: Model) -> str:
    """Return the best language, unless others that are no relatives of it have too large a share."""
    code, _ = _best(found, model)
    family = family_of(code)
    of_family = sum(share for at, share in found.shares if family_of(model.known[at].code) == family)
    return code if of_family >= SURE else ""


def sample_of(text: str, stretches: int, characters: int) -> str:
    """Return stretches from all over a text, of whole words where it has spaces; a short text as it is."""
    if len(text) <= stretches * characters:
        return text
    gap = (len(text) - characters) // (stretches - 1)
    return "\n".join([_whole_words(text[at : at + characters]) for at in range(0, stretches * gap, gap)])


def _whole_words(stretch: str) -> str:
    first, last = stretch.find(" "), stretch.rfind(" ")
    return stretch[first + 1 : last] if first < last else stretch


def languages_of(document: Document, content_language: str = "", model: Model | None = None) -> PageLanguages:
    """Return the languages of a page and of each of its blocks. Cost: a layout of the page, a recognition a block."""
    found = blocks(document)
    verdicts = detect_many([block.text for block in found], model=model)
    running = [block_is_running(block, said.zipf_share) for block, said in zip(found, verdicts, strict=True)]
    shares = _shares(found, verdicts, running)
    language = shares[0].language if shares else page_language(document.text, model) or None
    return PageLanguages(
        language,
        shares,
        len(shares) > 1 and shares[1].share >= _MIXED_SHARE,
        tuple(told for told in (document.lang, content_language) if told),
        tuple(
            BlockLanguage(block, said.language if said.confidence >= SURE else language, runs)
            for block, said, runs in zip(found, verdicts, running, strict=True)
        ),
    )


def _shares(
    found: Sequence[Block], verdicts: Sequence[Verdict], running: Sequence[bool]
) -> tuple[Candidate, ...]:
    """Share out the characters of the running text, as far as blocks are sure of their language."""
    characters: Counter[str] = Counter()
    for block, said, runs in zip(found, verdicts, running, strict=True):
        if runs and said.language and said.confidence >= SURE:
            characters[said.language] += len(block.text)
    total = characters.total()
    ranked = sorted(characters.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Candidate(language, count / total) for language, count in ranked)
