"""Replace what must not stand in a log: passwords, tokens and cookies, in URLs, in headers and wherever else they occur."""

import re
from collections.abc import Iterable
from urllib.parse import quote

HIDDEN = "(hidden)"
_USER_INFO = re.compile(r"(?<=://)[^\s/?#@]*@")
# Names of query parameters and of options whose values are secrets, as servers and programs name them.
_NAMED = re.compile(
    r"(?i)((?:[?&;\s\"'{,]|^)(?:[\w.-]*(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|credential|signature|"
    r"session[_-]?id)[\w.-]*|auth|sid|sig|phpsessid|jsessionid)\"?\s?[=:]\s?\"?)([^\s&;#\"',}]+)"
)
_HEADERS = re.compile(r"(?i)\b((?:proxy-)?authorization|set-cookie2?|cookie2?|x-api-key)(\s*[:=]\s*)[^\r\n]*")
_SCHEMES = re.compile(r"(?i)\b(basic|bearer)\s+[\w.~+/-]{6,}=*")
_SHORTEST = 4
"""A shorter secret would hide parts of ordinary words; where it has a name, it is hidden all the same."""

_known: set[str] = set()
_pattern: re.Pattern[str] | None = None


def add_secrets(secrets: Iterable[str]) -> None:
    """Have these strings hidden from now on, as they are and as they are written in URLs."""
    global _pattern
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            _known.update((secret, quote(secret, safe="")))
    if _known:
        _pattern = re.compile("|".join(map(re.escape, sorted(_known, key=len, reverse=True))))


def hide_secrets(text: str) -> str:
    """Return a text without secrets."""
    if _pattern is not None:
        text = _pattern.sub(HIDDEN, text)
    if "@" in text:
        text = _USER_INFO.sub(f"{HIDDEN}@", text)
    if "=" in text or ":" in text:
        text = _HEADERS.sub(rf"\1\2{HIDDEN}", text)
        text = _NAMED.sub(rf"\1{HIDDEN}", text)
    return _SCHEMES.sub(rf"\1 {HIDDEN}", text)
