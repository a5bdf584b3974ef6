"""The sentences of a page for a corpus: running text only, each with its language."""

import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html.document import Document
from gossamer.net.main_text.sentences import sentences
from gossamer.text.language.detection.block_languages import judge_blocks
from gossamer.text.language.detection.detect_language import LanguageMemo
from gossamer.text.language.detection.running_text import join_wrapped_lines
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.scripts import UNSPACED, find_script
from gossamer.text.language.related_languages import find_family
from gossamer.text.language.verdict import BestLanguage

FEWEST_WORDS = 5
"""A text with fewer words is more often a heading or an exclamation than a sentence."""
# A less confident sentence, such as one full of names, takes the language of its block.
_CLEAR = 0.95
# Punctuation around words; digits and symbols occur in no word.
_PUNCTUATION = string.punctuation + "“”„‚‘’«»‹›…–—·•†©®™°¿¡、。，！？；：（）「」『』《》・،؛؟۔।॥"
# Up to its first letter, the letter, the rest: possessive, since each can end in one place only.
_IS_WORD = re.compile(r"[^\w@/\\<>={}|&#*+]*+[^\W\d_][^\d@/\\<>={}_|&#*+]*+").fullmatch


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence of a page."""

    text: str
    language: str
    digest: int
    """A digest of its words, regardless of case, spacing and punctuation."""
    block: int = 0
    """The number of its block on the page."""


def sentences_of(
    document: Document,
    languages: frozenset[str] = frozenset(),
    fewest_words: int = FEWEST_WORDS,
    model: Model | None = None,
) -> Iterator[Sentence]:
    """Yield the sentences of the running text of a page, in page order; `languages` restricts them.

    A sentence has the language of its block, unless it is clearly in another one. Words are counted as in
    `net.fingerprint`. Cost: splitting the page into blocks, and one detection for each sentence and each
    block that may be running text.
    """
    memo = LanguageMemo(model)
    for number, one in enumerate(judge_blocks(document, memo, only_running=True).blocks):
        for text in (
            sentences("\n".join(join_wrapped_lines(one.block.text))) if one.running and one.language else ()
        ):
            digest, _, words = text_fingerprints(text)
            if words >= fewest_words:
                language = _choose_language(memo.find(text), one.language or "")
                if not languages or language in languages:
                    yield Sentence(" ".join(text.split()), language, digest, number)


class WordLengths(msgspec.Struct, frozen=True):
    """Which words of a corpus count, by their letters (Stein 1997, appendix A.1: minword and maxword)."""

    shortest: int = 1
    longest: int = 0
    """0 for no limit."""

    def select(self, words: list[str]) -> list[str]:
        """Return the words that are neither too short nor too long."""
        most = self.longest or sys.maxsize
        return [word for word in words if self.shortest <= len(word) <= most]


def keep_sentences(
    found: Iterable[Sentence],
    languages: frozenset[str] = frozenset(),
    least_share: float = 0.0,
    fewest_words: int = 1,
    lengths: WordLengths | None = None,
) -> Iterator[Sentence]:
    """Yield those sentences of a page that a corpus is to have.

    A language must have at least `least_share` of the characters of all sentences of the page. Words of other lengths do
    not count towards `fewest_words`.
    """
    sentences_found = list(found)
    characters = Counter[str]()
    for one in sentences_found:
        characters[one.language] += len(one.text)
    for one in sentences_found:
        if languages and one.language not in languages:
            continue
        if characters[one.language] < least_share * characters.total():
            continue
        if lengths is None or len(lengths.select(split_words(one.text))) >= fewest_words:
            yield one


def _choose_language(best: BestLanguage, of_block: str) -> str:
    """Return the language of a sentence; a block distinguishes related languages better than one sentence."""
    if best.language is None or best.confidence < _CLEAR or best.language == of_block:
        return of_block
    return of_block if find_family(best.language) == find_family(of_block) else best.language


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without numbers and addresses.

    In scripts without spaces every character counts as a word, as in language detection.
    """
    words: list[str] = []
    for between_spaces in text.lower().split():
        word = between_spaces.strip(_PUNCTUATION)
        if word and find_script(ord(word[0])) in UNSPACED:
            words += filter(str.isalpha, word)
        elif _IS_WORD(word):
            words.append(word)
    return words
