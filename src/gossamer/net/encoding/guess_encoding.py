"""Guesses the encoding of a page that declares none."""

import functools
import math
import re
from collections import Counter

from gossamer.net.encoding.letter_frequencies import COMMON, FUNCTION_WORDS, LETTERS, MULTI_BYTE, SINGLE_BYTE
from gossamer.net.encoding.whatwg_codecs import decode_as, make_single_byte_table

_SAMPLE_BYTES = 16_384
_UTF16_SAMPLE_BYTES = 1_024
_UTF8_SAMPLE_BYTES = 131_072

_TAG = re.compile(rb"<[^<>]*+>")
_HIGH = re.compile(rb"[\x80-\xff]")
_ASCII_WORD = re.compile(rb"(?<![\x80-\xff])[a-z]{2,9}(?![a-z\x80-\xff])", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html[^<>]*?[\s\"']lang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
_LATIN_NEIGHBOUR = re.compile(r"[A-Za-z](?=[^\x00-\x7f])|[^\x00-\x7f](?=[A-Za-z])")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B][\x21-\x7e]{2}")

# In bits. Typographic signs occur in every language; other signs are rarer; anything else is an error.
_TYPOGRAPHY = dict.fromkeys("\xa0«»‘’‚“”„–—…•·", 5.0)
_COMMON_SIGNS = dict.fromkeys("©®°§€£™²³½", 8.0)
_SIGN_BITS = 11.0
_FOREIGN_LETTER_BITS = 13.0
_WRONG_BITS = 22.0
_CAPITAL_BITS = 1.5
_BREAK_BITS = 5.0
_LANGUAGE_BITS = 8.0
_WORD_BITS = 2.0
_WORDS_COUNTED = 48
_LATIN_NEIGHBOUR_BITS = 3.0

_SAME_LETTERS = {"zh": "zh-Hans", "no": "nb", "nn": "nb", "bs": "hr", "ur": "fa"}

# Classes of bytes: ASCII a A, Latin l L, other scripts n N (small, capital), signs s, closing quotes q, the rest -.
# A small letter before a capital, two scripts within one word, a sign before a letter, a word that begins with a
# closing quote: these do not occur in real text.
_BREAKS = b"aL an aN An AN lL lA nN na nA Na NA sa sl sn sN -qa -ql -qn -qA -qL -qN".split()


def guess_encoding(body: bytes) -> str:
    """Return the WHATWG name of the encoding that explains the bytes of a page best.

    Three are recognised by their form: UTF-16 by its NULs, ISO-2022-JP by its escapes, UTF-8 by its validity. Among the
    others, the pair of encoding and language wins in which the bytes outside ASCII cost the fewest bits: letters by
    their share in the language, signs and foreign letters more, with a charge for letters and cases that do not go
    together. Frequent words of a language and its declaration (html lang) reduce the cost.
    Cost: linear in a sample of 16 kB, half a millisecond for a sentence, three for a full sample.
    """
    wide = _detect_utf16(body[:_UTF16_SAMPLE_BYTES])
    if wide:
        return wide
    if _ISO_2022_JP.search(body, 0, 65_536):
        return "ISO-2022-JP"
    first = _HIGH.search(body)
    if first is None:
        return "UTF-8"
    if _is_mostly_utf8(body):
        return "UTF-8"
    start = max(0, first.start() - 1_000)
    sample = _TAG.sub(b" ", body[start : start + 4 * _SAMPLE_BYTES])[:_SAMPLE_BYTES]
    language = _LANGUAGE.search(body, 0, 2_048)
    bonus = _compute_bonus(sample, language[1].decode("ascii").lower() if language else "")
    costs = _compute_single_byte_costs(sample, bonus) | _compute_multi_byte_costs(sample, bonus)
    return min(costs, key=costs.__getitem__)


def _detect_utf16(head: bytes) -> str | None:
    """Return the byte order of UTF-16 if NULs are on one side of the pairs: the high bytes of ASCII.

    A sixteenth of the pairs is enough, since in Chinese text only the tags are ASCII; a few NULs on the other side are
    letters such as U+4E00.
    """
    least = max(2, len(head) // 32)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd >= least and 4 * even <= odd:
        return "UTF-16LE"
    if even >= least and 4 * odd <= even:
        return "UTF-16BE"
    return None


def _is_mostly_utf8(body: bytes) -> bool:
    """Return whether wrong bytes are rare among well-formed sequences, as in a page pasted from two sources."""
    # A body that was cut off may end within a character.
    text = body[:_UTF8_SAMPLE_BYTES].decode("utf-8", "replace").rstrip("\ufffd")
    wrong = text.count("\ufffd")
    well_formed = len(text) - len(text.encode("ascii", "ignore")) - wrong
    return well_formed > 4 * wrong


def _compute_bonus(sample: bytes, declared_language: str) -> dict[str, float]:
    """Return, for each language, the bits that its words in the sample and its declaration save."""
    words = Counter(_ASCII_WORD.findall(sample.lower()))
    # The words of a long page must not outweigh its letters: they count as if there were only so many of them.
    bits_a_word = _WORD_BITS * min(1.0, _WORDS_COUNTED / max(1, words.total()))
    bonus = {
        language: bits_a_word * sum(words[word] for word in frequent)
        for language, frequent in _list_function_words().items()
    }
    if declared_language:
        key = _SAME_LETTERS.get(declared_language, declared_language)
        bonus[key] = bonus.get(key, 0.0) + _LANGUAGE_BITS
    return bonus


def _compute_single_byte_costs(sample: bytes, bonus: dict[str, float]) -> dict[str, float]:
    counts = [(byte, count) for byte, count in Counter(sample).items() if byte >= 0x80]
    costs = {}
    for name, (rarity_bits, languages) in SINGLE_BYTE.items():
        classes = sample.translate(_make_byte_classes(name))
        breaks = sum(map(classes.count, _BREAKS))
        letters = min(
            sum(count * table[byte] for byte, count in counts) - bonus.get(language, 0.0)
            for language, table in _make_cost_tables(name, languages)
        )
        costs[name] = rarity_bits + letters + _BREAK_BITS * breaks
    return costs


def _compute_multi_byte_costs(sample: bytes, bonus: dict[str, float]) -> dict[str, float]:
    costs = {}
    for name, language in MULTI_BYTE.items():
        text = decode_as(sample, name)
        bits = _compute_character_bits(language)
        characters = sum(
            count * (bits.get(character) or _find_ideograph_bits(character, language))
            for character, count in Counter(text).items()
            if character > "\x7f"
        )
        neighbours = len(_LATIN_NEIGHBOUR.findall(text))
        costs[name] = characters + _LATIN_NEIGHBOUR_BITS * neighbours - bonus.get(language, 0.0)
    return costs


@functools.cache
def _list_function_words() -> dict[str, list[bytes]]:
    return {language: words.encode("ascii", "ignore").split() for language, words in FUNCTION_WORDS.items()}


@functools.cache
def _compute_letter_bits(language: str) -> dict[str, float]:
    """Return the cost of each letter of a language; capitals cost a little more."""
    bits: dict[str, float] = {}
    for entry in LETTERS[language].split():
        share = float(entry[1:] or 0.3)
        bits[entry[0]] = -math.log2(share / 100)
    for letter, cost in list(bits.items()):
        capital = letter.upper()
        if len(capital) == 1:
            bits.setdefault(capital, cost + _CAPITAL_BITS)
    return bits


@functools.cache
def _make_cost_tables(name: str, languages: str) -> list[tuple[str, list[float]]]:
    """Return, for each language, the cost of each byte in this encoding."""
    characters = make_single_byte_table(name)
    return [
        (language, [_compute_letter_bits(language).get(one, _find_other_bits(one)) for one in characters])
        for language in languages.split()
    ]


def _find_other_bits(character: str) -> float:
    if character in _TYPOGRAPHY:
        return _TYPOGRAPHY[character]
    if character in _COMMON_SIGNS:
        return _COMMON_SIGNS[character]
    if character == "\ufffd" or "\x80" <= character < "\xa0" or "\u2300" <= character < "\u2600":
        return _WRONG_BITS
    return _FOREIGN_LETTER_BITS if character.isalpha() else _SIGN_BITS


@functools.cache
def _make_byte_classes(name: str) -> bytes:
    return bytes(map(_classify_byte, make_single_byte_table(name)))


def _classify_byte(character: str) -> int:
    if character in "’”»":
        kinds = "qq"
    elif character in _TYPOGRAPHY or (character.isascii() and not character.isalpha()):
        kinds = "--"
    elif character.isascii():
        kinds = "aA"
    elif not character.isalpha():
        kinds = "ss"
    else:
        kinds = "lL" if character < "\u0250" else "nN"
    return ord(kinds[character.isupper()])


@functools.cache
def _compute_character_bits(language: str) -> dict[str, float]:
    """Return the cost of the common characters of an East Asian language, with kana and punctuation."""
    bits = {character: 6.0 + math.log2(1 + rank / 25) for rank, character in enumerate(COMMON[language])}
    bits |= dict.fromkeys("\u3000、。，．：；？！「」『』（）《》“”‘’…—・·", 6.0)
    if language == "ja":
        bits |= dict.fromkeys(map(chr, range(0x3041, 0x3094)), 6.0)
        bits |= dict.fromkeys(map(chr, range(0x30A1, 0x30FD)), 7.5)
    return bits


def _find_ideograph_bits(character: str, language: str) -> float:
    """Return the cost of a character that is not among the common ones of the language."""
    if character == "\ufffd":
        return _WRONG_BITS
    if "\uac00" <= character < "\ud7a4":
        return 11.0 if language == "ko" and character.encode("euc_kr", "ignore") else 17.0
    if "\u4e00" <= character < "\ua000":
        return 16.0 if language == "ko" else 14.0
    return 17.0 if character < "\uff01" else 12.0
