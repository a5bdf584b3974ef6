"""Classifies characters for the splitting of a text into words."""

import unicodedata

LETTER, SEPARATOR, UNSPACED, INVISIBLE = range(4)

# Scripts without spaces between words: Thai and its neighbours, kana, Han with its extensions.
_UNSPACED = [
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
]
_INVISIBLE = {0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF}
_HANGUL_JAMO = range(0x1100, 0x1200)
_MOST_FOLDED = 3


def classify_character(character: str) -> tuple[int, list[int], bool]:
    """Return a character's kind, the code points it folds to in normal form, and whether it is safe.

    For a safe character, this holds in every Unicode form and beside any neighbours. There are at most three code
    points; there are none if they would be more or of several kinds: then the text must be normalised first.
    """
    normal = unicodedata.normalize("NFKC", character)
    folded = [ord(part) for part in normal.casefold()]
    kinds = {_classify_code(code) for code in folded}
    if kinds == {SEPARATOR}:
        del folded[1:]  # one separator is enough
    if len(folded) > 1 and (len(folded) > _MOST_FOLDED or kinds != {LETTER}):
        return LETTER, [], False
    return kinds.pop(), folded, all(_never_joins(part) for part in normal)


def _classify_code(code: int) -> int:
    """Return the kind of a code point. Signs such as + and € belong to words."""
    if code in _INVISIBLE:
        return INVISIBLE
    # Above the first plane, only a few marks of ancient scripts are separators.
    if code < 0x10000 and _is_separator(unicodedata.category(chr(code))):
        return SEPARATOR
    return UNSPACED if any(first <= code <= last for first, last in _UNSPACED) else LETTER


def _is_separator(category: str) -> bool:
    return category[0] in "PZ" or category in ("Cc", "Cf", "Cs")


def _never_joins(character: str) -> bool:
    """Return whether NFKC never joins a character to the one before: it is no mark and no part of a Hangul syllable.

    A few letters of rare scripts above the first plane do join, so only signs such as emoji count there.
    """
    category = unicodedata.category(character)
    return (
        category[0] != "M"
        and not unicodedata.combining(character)
        and ord(character) not in _HANGUL_JAMO
        and (ord(character) < 0x10000 or category == "So")
    )
