"""The sentences of pages, for corpora: running text only, each sentence with the language it is in."""

import re
import string
from collections.abc import Iterator

import msgspec

from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html.document import Document
from gossamer.net.main_text.sentences import sentences
from gossamer.text.language.detection.block_languages import languages_of
from gossamer.text.language.detection.detect_language import detect
from gossamer.text.language.detection.running_text import unwrapped
from gossamer.text.language.model.model import Model
from gossamer.text.language.model.scripts import UNSPACED, script_number
from gossamer.text.language.related_languages import family_of

FEWEST_WORDS = 5
"""What has fewer words is a heading or an exclamation more often than a sentence."""
# A sentence that is less sure, such as one full of names, is in the language of its block.
_CLEAR = 0.95
# What stands around words, and what stands in none of them.
_AROUND = string.punctuation + "“”„‚‘’«»‹›…–—·•†©®™°¿¡、。，！？；：（）「」『』《》・،؛؟۔।॥"
_IS_WORD = re.compile(r"[^\d@/\\<>={}_|&#*+]*[^\W\d_][^\d@/\\<>={}_|&#*+]*").fullmatch


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence of a page."""

    text: str
    language: str
    digest: int
    """Of its words, blind to case, spacing and punctuation: the same for the same sentence."""


def sentences_of(
    document: Document,
    languages: frozenset[str] = frozenset(),
    fewest_words: int = FEWEST_WORDS,
    model: Model | None = None,
) -> Iterator[Sentence]:
    """Yield the sentences of the running text of a page, in page order, those in some languages or in all.

    A sentence is in the language of its block, unless it is clearly in another one. Words are counted as
    `net.fingerprint` does. Cost: a layout of the page, and a recognition for each block and sentence.
    """
    for one in languages_of(document, model=model).blocks:
        for text in sentences("\n".join(unwrapped(one.block.text))) if one.running and one.language else ():
            digest, _, words = text_fingerprints(text)
            if words >= fewest_words:
                language = _language_of(text, one.language or "", model)
                if not languages or language in languages:
                    yield Sentence(" ".join(text.split()), language, digest)


def _language_of(sentence: str, of_block: str, model: Model | None) -> str:
    """Return the language of a sentence: a single one tells relatives apart worse than all of its block does."""
    said = detect(sentence, model=model)
    if said.language is None or said.confidence < _CLEAR or family_of(said.language) == family_of(of_block):
        return of_block
    return said.language


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters; numbers and addresses are none.

    In scripts without spaces every character counts as a word, as it does to the recogniser.
    """
    words: list[str] = []
    for word in map(_stripped, text.lower().split()):
        if word and script_number(ord(word[0])) in UNSPACED:
            words += filter(str.isalpha, word)
        elif _IS_WORD(word):
            words.append(word)
    return words


def _stripped(word: str) -> str:
    return word.strip(_AROUND)
