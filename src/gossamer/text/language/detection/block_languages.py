"""The languages of a page and of its blocks. The declared language is reported, but not trusted."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from gossamer.net.html.document import Block, Document
from gossamer.net.main_text.text_blocks import blocks
from gossamer.text.language.detection.detect_language import LanguageMemo
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.detection.running_text import block_is_running
from gossamer.text.language.detection.running_text_features import MOST_ZIPF
from gossamer.text.language.model.model import Model
from gossamer.text.language.verdict import NO_LANGUAGE, BestLanguage, Candidate

# A smaller share of the text is a quotation, not a second language.
_MIXED_SHARE = 0.1
_LABEL_WORDS = 2


class BlockLanguage(msgspec.Struct, frozen=True):
    """A block of a page, its language, and whether it is running text."""

    block: Block
    language: str | None
    """The language of the page, if the block itself is too short to tell."""
    running: bool


class PageLanguages(msgspec.Struct, frozen=True):
    """The languages of a page, from its running text."""

    language: str | None
    """The language of most of its text; None if there is too little text to tell."""
    shares: tuple[Candidate, ...]
    """The share of each language among the characters of the running text, the largest first."""
    mixed: bool
    """Whether a second language has a share of at least a tenth."""
    declared: tuple[str, ...]
    """The languages that the page and its server declare, as written."""
    blocks: tuple[BlockLanguage, ...]


def languages_of(document: Document, content_language: str = "", model: Model | None = None) -> PageLanguages:
    """Return the languages of a page and of each of its blocks.

    Cost: splitting the page into blocks, and one detection for each block.
    """
    return judge_blocks(document, LanguageMemo(model), content_language)


def judge_blocks(
    document: Document, memo: LanguageMemo, content_language: str = "", only_running: bool = False
) -> PageLanguages:
    """Return the languages of a page and of each of its blocks, which the memo then knows.

    With `only_running`, blocks that are no running text have the language of the page: most of them are not detected.
    """
    found = blocks(document)
    judged = [_judge_block(block, memo, only_running) for block in found]
    verdicts, running = [best for best, _ in judged], [runs for _, runs in judged]
    shares = _share_characters(found, verdicts, running)
    language = shares[0].language if shares else page_language(document.text, memo.model) or None
    return PageLanguages(
        language,
        shares,
        len(shares) > 1 and shares[1].share >= _MIXED_SHARE,
        tuple(declared for declared in (document.lang, content_language) if declared),
        tuple(
            BlockLanguage(block, verdict.language if verdict.sure else language, runs)
            for block, verdict, runs in zip(found, verdicts, running, strict=True)
        ),
    )


def _judge_block(block: Block, memo: LanguageMemo, only_running: bool) -> tuple[BestLanguage, bool]:
    """Return the language of a block by its own text, and whether it is running text."""
    if _is_label(block.text):
        return NO_LANGUAGE, block_is_running(block, 0.0)
    # In documentation, three fifths of the blocks are no running text whatever their words are.
    if only_running and not block_is_running(block, MOST_ZIPF):
        return NO_LANGUAGE, False
    best = memo.find(block.text)
    return best, block_is_running(block, best.zipf_share)


def _is_label(text: str) -> bool:
    """Say whether a text is one or two words in plain letters: a name or a button, too short to tell its language.

    Half of the blocks of documentation are; 7 of 121,000 such blocks counted as running text when they were detected.
    """
    return text.isascii() and text.count(" ") < _LABEL_WORDS


def _share_characters(
    found: Sequence[Block], verdicts: Sequence[BestLanguage], running: Sequence[bool]
) -> tuple[Candidate, ...]:
    """Return the share of each language in the running text, from blocks with a confident verdict."""
    characters: Counter[str] = Counter()
    for block, verdict, runs in zip(found, verdicts, running, strict=True):
        if runs and verdict.language and verdict.sure:
            characters[verdict.language] += len(block.text)
    total = characters.total()
    ranked = sorted(characters.items(), key=lambda one: (-one[1], one[0]))
    return tuple(Candidate(language, count / total) for language, count in ranked)
