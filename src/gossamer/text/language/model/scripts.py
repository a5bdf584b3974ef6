"""The script of a character, which is the first evidence of a language.

The ranges are the Unicode blocks of living languages; marks inside a block belong to it.
"""

import unicodedata
from bisect import bisect_right
from functools import cache

NONE = 0

# first and last code point, script
_BLOCKS = [
    (0x41, 0x24F, "Latn"),
    (0x250, 0x2AF, "Latn"),
    (0x370, 0x3FF, "Grek"),
    (0x400, 0x52F, "Cyrl"),
    (0x531, 0x58F, "Armn"),
    (0x591, 0x5F4, "Hebr"),
    (0x600, 0x6FF, "Arab"),
    (0x750, 0x77F, "Arab"),
    (0x8A0, 0x8FF, "Arab"),
    (0x900, 0x97F, "Deva"),
    (0x980, 0x9FF, "Beng"),
    (0xA00, 0xA7F, "Guru"),
    (0xA80, 0xAFF, "Gujr"),
    (0xB00, 0xB7F, "Orya"),
    (0xB80, 0xBFF, "Taml"),
    (0xC00, 0xC7F, "Telu"),
    (0xC80, 0xCFF, "Knda"),
    (0xD00, 0xD7F, "Mlym"),
    (0xD80, 0xDFF, "Sinh"),
    (0xE00, 0xE7F, "Thai"),
    (0xE80, 0xEFF, "Laoo"),
    (0xF00, 0xFFF, "Tibt"),
    (0x1000, 0x109F, "Mymr"),
    (0x10A0, 0x10FF, "Geor"),
    (0x1100, 0x11FF, "Hang"),
    (0x1200, 0x139F, "Ethi"),
    (0x1780, 0x17FF, "Khmr"),
    (0x1800, 0x18AF, "Mong"),
    (0x1C90, 0x1CBF, "Geor"),
    (0x1E00, 0x1EFF, "Latn"),
    (0x1F00, 0x1FFF, "Grek"),
    (0x2C60, 0x2C7F, "Latn"),
    (0x3005, 0x3007, "Hani"),
    (0x3041, 0x30FF, "Hani"),
    (0x3130, 0x318F, "Hang"),
    (0x31F0, 0x31FF, "Hani"),
    (0x3400, 0x4DBF, "Hani"),
    (0x4E00, 0x9FFF, "Hani"),
    (0xA640, 0xA69F, "Cyrl"),
    (0xA720, 0xA7FF, "Latn"),
    (0xAC00, 0xD7AF, "Hang"),
    (0xF900, 0xFAFF, "Hani"),
    (0xFB50, 0xFDFF, "Arab"),
    (0xFE70, 0xFEFC, "Arab"),
    (0xFF66, 0xFF9F, "Hani"),
    (0x20000, 0x323AF, "Hani"),
]
_FIRSTS = [first for first, _, _ in _BLOCKS]

# Kana counts as Han: Japanese mixes both. The index of a script is its number in tables, 0 for none.
SCRIPTS = ("", *sorted({script for _, _, script in _BLOCKS}))
NUMBER = {script: number for number, script in enumerate(SCRIPTS)}
HAN = NUMBER["Hani"]
# Scripts without spaces: each character counts as a word.
UNSPACED = frozenset(NUMBER[script] for script in ("Hani", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"))
# The weight of a character when the leading script is sought. A Han or Hangul character says as much as two or three
# letters. Latin occurs in texts of all scripts, as names, terms and code; other scripts hardly ever occur in Latin texts.
_WEIGHTS = {HAN: 12, NUMBER["Hang"]: 12, NUMBER["Latn"]: 2}
WEIGHT = tuple(_WEIGHTS.get(number, 5) for number in range(len(SCRIPTS)))
# Marks are optional in these scripts, so they are skipped.
_POINTED = frozenset(NUMBER[script] for script in ("Arab", "Hebr"))

SKIPPED = 255
"""The number of a character that is skipped as if it were not there."""


@cache
def find_script(code: int) -> int:
    """Return the script number of a letter or mark, NONE for other characters, SKIPPED for optional marks."""
    if code in (0xAD, 0x200C, 0x200D) or 0x300 <= code < 0x370:
        return SKIPPED
    place = bisect_right(_FIRSTS, code) - 1
    if place < 0 or code > _BLOCKS[place][1]:
        return NONE
    category = unicodedata.category(chr(code))
    number = NUMBER[_BLOCKS[place][2]]
    if category[0] == "M":
        return SKIPPED if number in _POINTED else number
    return number if category[0] == "L" or code == 0x3007 else NONE


@cache
def to_lower(code: int) -> int:
    """Return the lower case of a letter: its first character, where Unicode has several."""
    return ord(chr(code).lower()[0])


def is_junk(code: int) -> bool:
    """Say whether a character is a control character or the replacement for undecodable bytes."""
    return code == 0xFFFD or (code < 0x20 and code not in (9, 10, 12, 13)) or 0x7F <= code < 0xA0
