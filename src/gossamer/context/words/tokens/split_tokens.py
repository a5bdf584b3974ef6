"""Split a sentence into tokens: words, numbers and marks, as corpus tools count them."""

import re

from gossamer.text.language.detection.corpus_sentences import split_words
from gossamer.text.language.model.scripts import UNSPACED, find_script

# What stands around words, each mark a token of its own.
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”„‚‘’«»‹›…–—·•†©®™°¿¡、。，！？；：（）「」『』《》・،؛؟۔।॥"
# What also separates words within a piece of text without spaces, unless the piece is a number or an address.
_PIECES = re.compile(r"[—–…/()<>=|\[\]\"“”«»,;:!?]|[^—–…/()<>=|\[\]\"“”«»,;:!?]+")
_WHOLE = re.compile(r"\d|://|@|www\.")
LONGEST_TOKEN = 100
"""Longer tokens are cut; no word of a language is that long."""


def split_tokens(text: str) -> list[tuple[str, bool]]:
    """Return the tokens of a text, each with whether it follows the one before it without a space.

    Every character of the text but white space is in one token. In scripts without spaces every letter is a token.
    """
    found: list[tuple[str, bool]] = []
    for piece in text.split():
        found += split_piece(piece)
    return found


def is_word(token: str) -> bool:
    """Say whether a token is a word, which frequency lists count: not a number, an address or a mark."""
    return split_words(token) == [token.lower()]


def split_piece(piece: str) -> tuple[tuple[str, bool], ...]:
    """Return the tokens of what stands between two spaces."""
    core = piece.strip(_MARKS)
    if not core:
        return _mark_glued(list(piece))
    start = piece.index(core)
    inner = [core] if _WHOLE.search(core) else _PIECES.findall(core)
    parts = [part for one in inner for part in _split_core(one)]
    return _mark_glued([*piece[:start], *parts, *piece[start + len(core) :]])


def _split_core(core: str) -> list[str]:
    if find_script(ord(core[0])) in UNSPACED:
        return list(core)
    return [core[at : at + LONGEST_TOKEN] for at in range(0, len(core), LONGEST_TOKEN)]


def _mark_glued(tokens: list[str]) -> tuple[tuple[str, bool], ...]:
    return tuple((token, at > 0) for at, token in enumerate(tokens))
