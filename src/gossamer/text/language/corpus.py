"""The sentences of pages, for corpora: running text only, each sentence with the language it is in."""

import re
import string
from collections.abc import Iterator

import msgspec

from gossamer.net.document import Document
from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.sentences import sentences
from gossamer.text.language.model import Model
from gossamer.text.language.pages import languages_of
from gossamer.text.language.running import unwrapped
from gossamer.text.language.scripts import UNSPACED, script_number

FEWEST_WORDS = 5
"""What has fewer words is a heading or an exclamation more often than a sentence."""
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

    Words are counted as `net.fingerprint` does. Cost: a layout of the page and a recognition a block.
    """
    for one in languages_of(document, model=model).blocks:
        if one.running and one.language and (not languages or one.language in languages):
            for text in sentences("\n".join(unwrapped(one.block.text))):
                digest, _, words = text_fingerprints(text)
                if words >= fewest_words:
                    yield Sentence(" ".join(text.split()), one.language, digest)


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
