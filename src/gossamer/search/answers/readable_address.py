"""Show addresses to people: percent-encoded letters as letters, and everything that could mislead as it is written.

`/wiki/Gr%C3%B6%C3%9Fe` is shown as `/wiki/Größe`. An address is text of a stranger: a decoded control character could
steer a terminal, a bidirectional override could turn the address round, a space or a slash could fake its end or another
folder. So only letters, digits and dashes outside ASCII are decoded, and only where the result reads back as the same bytes.
"""

import re
import unicodedata

_ENCODED = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_SHOWN = ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "Pd")
# Letters and marks that are not visible: fillers of Hangul, variation selectors, joiners and inherent vowels.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LONGEST_STACK = 3


def decode_address(url: str) -> str:
    """Return an address with its percent-encoded letters decoded, for showing; it is not meant to be fetched."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if not slash:
        return url
    return f"{scheme}{separator}{host}{slash}{_ENCODED.sub(_decode_run, path)}"


def split_address(url: str) -> list[str]:
    """Return the host and the folders of an address, decoded; the address itself if it has no host."""
    return list(filter(None, decode_address(url).partition("://")[2].split("/"))) or [url]


def _decode_run(match: re.Match[str]) -> str:
    """Decode a run of encoded bytes as UTF-8, and leave it if a character of it must not be shown."""
    try:
        text = bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]
    return text if _can_be_shown(text) else match[0]


def _can_be_shown(text: str) -> bool:
    kinds = [unicodedata.category(character) for character in text]
    if _INVISIBLE.search(text) or any(kind not in _SHOWN for kind in kinds) or kinds[0][0] == "M":
        return False
    marks = "".join("m" if kind[0] == "M" else " " for kind in kinds)
    # A form that is not normalised looks like another address; a tower of marks covers the lines around it.
    return "m" * (_LONGEST_STACK + 1) not in marks and unicodedata.is_normalized("NFC", text)
