"""Decodes by the WHATWG Encoding Standard, with Python's codecs and corrections where the two differ."""

import codecs
import functools
import re
from collections.abc import Callable

_SINGLE_BYTE_CODEC = {
    "IBM866": "cp866",
    "ISO-8859-8-I": "iso8859-8",
    "KOI8-R": "koi8-r",
    "KOI8-U": "koi8-u",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    **{f"ISO-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))},
}

# Bytes that are different characters in the standard and in Python.
_CORRECTIONS = {
    "KOI8-U": {0xAE: "ў", 0xBE: "Ў"},
    "windows-1255": {0xCA: "\u05ba"},
    "x-mac-cyrillic": {0xA2: "Ґ", 0xB6: "ґ", 0xFF: "€"},
}

# JIS X 0208 characters for which Python's EUC-JP uses the JIS table, and the standard Microsoft's.
_JIS_TO_MICROSOFT = str.maketrans("\u2014\u301c\u2016\u2212\u00a2\u00a3\u00ac", "\u2015～∥－￠￡￢")

# The same for Big5: the standard takes its symbols from code page 950.
_HKSCS_TO_MICROSOFT = str.maketrans("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡")

_JIS_STATE = re.compile(rb"\x1b(\([BJI]|\$[@B])")
_KATAKANA = bytes(byte + 0x80 if 0x21 <= byte <= 0x5F else byte for byte in range(256))
_TO_EUC = bytes(byte + 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))


@functools.cache
def make_single_byte_table(name: str) -> str:
    """Return the 256 characters of a single-byte encoding; U+FFFD where the standard has none.

    The standard uses C1 controls for the undefined bytes of a Windows code page; Python leaves them undefined.
    """
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    codec = _SINGLE_BYTE_CODEC[name]
    characters = []
    for byte in range(256):
        character = bytes([byte]).decode(codec, "replace")
        characters.append(chr(byte) if character == "\ufffd" and 0x80 <= byte < 0xA0 else character)
    for byte, character in _CORRECTIONS.get(name, {}).items():
        characters[byte] = character
    return "".join(characters)


def _skip_pair(error: UnicodeError) -> tuple[str, int]:
    """Replace an undecodable pair of bytes by one U+FFFD, but keep a second byte in ASCII: it may be a `<`."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - registered for decoding only
    pair = error.object[error.start : error.start + 2]
    is_pair = len(pair) == 2 and 0x81 <= pair[0] <= 0xFE and pair[1] >= 0x80
    return "\ufffd", error.start + (2 if is_pair else 1)


def _decode_euc_jp_extension(error: UnicodeError) -> tuple[str, int]:
    """Decode the NEC and IBM rows, such as ①, which Python's EUC-JP lacks: Shift_JIS has them at other places."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - registered for decoding only
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and 0xA1 <= pair[0] <= 0xFE and 0xA1 <= pair[1] <= 0xFE:
        row, cell = pair[0] - 0xA1, pair[1] - 0xA1
        lead = 0x81 + row // 2 + (0x40 if row >= 62 else 0)
        trail = 0x9F + cell if row % 2 else 0x40 + cell + (1 if cell >= 63 else 0)
        character = bytes((lead, trail)).decode("cp932", "replace")
        if len(character) == 1 and not "\ue000" <= character < "\uf900":
            return character, error.start + 2
    return _skip_pair(error)


def _decode_gbk_euro(error: UnicodeError) -> tuple[str, int]:
    """Decode the byte 0x80 as the euro sign, as Windows did."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - registered for decoding only
    if error.object[error.start] == 0x80:
        return "€", error.start + 1
    return _skip_pair(error)


codecs.register_error("gossamer.skip_pair", _skip_pair)
codecs.register_error("gossamer.euc_jp", _decode_euc_jp_extension)
codecs.register_error("gossamer.gbk", _decode_gbk_euro)


def _decode_euc_jp(body: bytes) -> str:
    return body.decode("euc_jp", "gossamer.euc_jp").translate(_JIS_TO_MICROSOFT)


def _decode_big5(body: bytes) -> str:
    return body.decode("big5hkscs", "gossamer.skip_pair").translate(_HKSCS_TO_MICROSOFT)


def _decode_iso_2022_jp(body: bytes) -> str:
    """Split by escape sequences: each run is EUC-JP, Shift_JIS or ASCII without the high bit."""
    parts = _JIS_STATE.split(body)
    text = [parts[0].decode("ascii", "replace")]
    for state, run in zip(parts[1::2], parts[2::2], strict=True):
        if state[:1] == b"$":
            text.append(_decode_euc_jp(run.translate(_TO_EUC)))
        elif state == b"(I":
            text.append(run.translate(_KATAKANA).decode("cp932", "replace"))
        elif state == b"(J":
            text.append(run.decode("ascii", "replace").replace("\\", "¥").replace("~", "‾"))
        else:
            text.append(run.decode("ascii", "replace"))
    return "".join(text)


_MULTI_BYTE: dict[str, Callable[[bytes], str]] = {
    "UTF-8": lambda body: body.decode("utf-8", "replace"),
    "UTF-16LE": lambda body: body.decode("utf-16-le", "replace"),
    "UTF-16BE": lambda body: body.decode("utf-16-be", "replace"),
    "Shift_JIS": lambda body: body.decode("cp932", "gossamer.skip_pair"),
    "EUC-JP": _decode_euc_jp,
    "ISO-2022-JP": _decode_iso_2022_jp,
    "GBK": lambda body: body.decode("gb18030", "gossamer.gbk"),
    "gb18030": lambda body: body.decode("gb18030", "gossamer.gbk"),
    "Big5": _decode_big5,
    "EUC-KR": lambda body: body.decode("cp949", "gossamer.skip_pair"),
    "replacement": lambda body: "\ufffd" if body else "",
}


def decode_as(body: bytes, name: str) -> str:
    """Decode bytes by the WHATWG name of their encoding; undecodable bytes become U+FFFD."""
    decoder = _MULTI_BYTE.get(name)
    if decoder is not None:
        return decoder(body)
    return codecs.charmap_decode(body, "replace", make_single_byte_table(name))[0]
