"""The languages of a page's blocks, and of the whole by these. What it declares is kept beside, not trusted."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from gossamer.net.html.document import Block, Document
from gossamer.net.main_text.text_blocks import blocks
from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.detection.page_language import SURE, page_language
from gossamer.text.language.detection.running_text import block_is_running
from gossamer.text.language.model.model import Model
from gossamer.text.language.verdict import Candidate, Verdict

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
