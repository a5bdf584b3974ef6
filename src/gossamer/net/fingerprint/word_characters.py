"""What a character is to the words of a text: a letter, a separator, one of a script without spaces, or nothing."""

import unicodedata

LETTER, SEPARATOR, UNSPACED, INVISIBLE = range(4)

# Scripts that put no space between words: Thai and its neighbours, kana, Han with its extensions.
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


def meaning(character: str) -> tuple[int, list[int], bool]:
    """Return a character's kind, the code points it folds to in normal form, and whether it is safe.

    A safe one means this whatever form and neighbours it has. There are at most three code points, and none where
    they are of several kinds, or more: such a character means nothing before its text is normalised.
    """
    normal = unicodedata.normalize("NFKC", character)
    folded = [ord(part) for part in normal.casefold()]
    kinds = {_kind(code) for code in folded}
    if kinds == {SEPARATOR}:
        del folded[1:]  # one separates as well as three
    if len(folded) > 1 and (len(folded) > _MOST_FOLDED or kinds != {LETTER}):
        return LETTER, [], False
    return kinds.pop(), folded, all(_keeps_to_itself(part) for part in normal)


def _kind(code: int) -> int:
    """Return what a code point is to the walk. Signs such as + and € belong to words."""
    if code in _INVISIBLE:
        return INVISIBLE
    # Beyond the first plane only a few marks of ancient scripts separate.
    if code < 0x10000 and _separates(unicodedata.category(chr(code))):
        return SEPARATOR
    return UNSPACED if any(first <= code <= last for first, last in _UNSPACED) else LETTER


def _separates(category: str) -> bool:
    return category[0] in "PZ" or category in ("Cc", "Cf", "Cs")


def _keeps_to_itself(character: str) -> bool:
    """Say whether NFKC never joins a character to the one before: no mark, no part of a Hangul syllable.

    A few letters of rare scripts beyond the first plane do join, so only signs count there: emoji.
    """
    category = unicodedata.category(character)
    return (
        category[0] != "M"
        and not unicodedata.combining(character)
        and ord(character) not in _HANGUL_JAMO
        and (ord(character) < 0x10000 or category == "So")
    )
