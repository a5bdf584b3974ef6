"""What the bytes of a page say about whether it needs a browser. Pure; costs microseconds for a page without scripts."""

import re
from typing import Literal

import msgspec

from gossamer.crawl.read_page import Reading

Need = Literal["none", "doubtful", "likely"]

FEW_WORDS = 40
"""Pages with fewer words and with scripts are hardly ever meant to be read so."""
SOME_WORDS = 150
FEW_LINKS = 3
_SEARCHED_BYTES = 400_000
_MOST_SCRIPTS = 200
_SCRIPT_BYTES = 20_000
_TAG_BYTES = 500
_NOSCRIPT_BYTES = 1_000
_ROOTS = ("root", "app", "__next", "__nuxt", "gatsby", "___gatsby", "main-app", "spa")
_EMPTY_ROOT = (
    *(f"id={quote}{root}{quote or '>'}".encode() for root in _ROOTS for quote in ('"', "'", "")),
    *(b"<app-root", b"ng-app", b"data-reactroot", b"v-cloak"),
)
_PLACEHOLDERS = (b"loading", b"please wait", b"laden", b"wird geladen", b"chargement", b"cargando")
# Data, not programs.
_DATA_TYPES = (
    b"application/json",
    b"application/ld+json",
    b"text/template",
    b"text/x-template",
    b"speculationrules",
)
# What scripts do that build content, in lower case, as far as it stands in the page itself.
_BUILDS = (
    *(
        b"fetch(",
        b"xmlhttprequest",
        b"intersectionobserver",
        b".innerhtml",
        b"insertadjacenthtml",
        b"document.write(",
    ),
    *(b"pushstate(", b"location.href", b"location.assign(", b"location.replace(", b"'scroll'", b'"scroll"'),
    *(
        f"createelement({quote}{tag}{quote}".encode()
        for quote in "\"'"
        for tag in ("a", "li", "ul", "p", "article", "section")
    ),
)
_MAKES_LINKS = (
    *(b"'href'", b'"href"', b".href=", b".href =", b"<a ", b"href:"),
    *(b"createelement('a'", b'createelement("a"'),
)
# How files of scripts are called that build content.
_SOURCE = re.compile(
    rb"src\s*=\s*[\"']?[^\"'\s>]{0,300}?(?:[/._-]|(?<=[\"'=]))(?:app|bundle|chunk|client|router|render|scroll|infinite|load-?more|lazy|spa)"
    rb"[^/\"'\s>]{0,60}\.m?js"
)


class PageSigns(msgspec.Struct, frozen=True):
    """What speaks for showing a page in a browser."""

    need: Need
    reason: str = ""


_NO_NEED = PageSigns("none")


def find_signs(reading: Reading, body: bytes) -> PageSigns:
    """Return what a page that was read says about its need of a browser. Cost: one pass that lowers the case, and finds."""
    if reading.page.kind != "html":
        return _NO_NEED
    lower = body[:_SEARCHED_BYTES].lower()
    scripts = _find_scripts(lower)
    if not scripts:
        return _NO_NEED
    words, links = reading.page.words, len(reading.links)
    if words < FEW_WORDS and links < FEW_LINKS:
        return PageSigns("likely", "hardly any text or links, and scripts")
    if words < SOME_WORDS and (why := _find_emptiness(lower)):
        return PageSigns("likely", why)
    if links < FEW_LINKS and any(_contains(script, _MAKES_LINKS) for script in scripts):
        return PageSigns("likely", "links only in scripts")
    if any(
        _contains(script, _BUILDS) or _SOURCE.search(script[: min(_TAG_BYTES, script.find(b">") + 1)])
        for script in scripts
    ):
        return PageSigns("doubtful", "scripts that may build content")
    if words < FEW_WORDS:
        return PageSigns("doubtful", "little text, and scripts")
    return _NO_NEED


def _find_scripts(lower: bytes) -> list[bytes]:
    """Return the scripts of a page with their tags, each up to a length; data in script elements is left out."""
    found: list[bytes] = []
    at = lower.find(b"<script")
    while at >= 0 and len(found) < _MOST_SCRIPTS:
        end = lower.find(b"</script", at)
        end = len(lower) if end < 0 else end
        script = lower[at : min(end, at + _SCRIPT_BYTES)]
        if not _contains(script[: script.find(b">") + 1 or _TAG_BYTES], _DATA_TYPES):
            found.append(script)
        at = lower.find(b"<script", end)
    return found


def _find_emptiness(lower: bytes) -> str:
    """Return what says that a page with little text waits for scripts to fill it."""
    if _contains(lower, _EMPTY_ROOT):
        return "an empty frame for scripts to fill"
    at = lower.find(b"<noscript")
    if at >= 0 and re.search(rb"java\s?script", lower[at : at + _NOSCRIPT_BYTES]):
        return "it asks for JavaScript"
    if any(re.search(rb">\s*" + word + rb"\b[^<]{0,30}<", lower) for word in _PLACEHOLDERS if word in lower):
        return "a placeholder for content that is loaded"
    return ""


def _contains(text: bytes, words: tuple[bytes, ...]) -> bool:
    return any(word in text for word in words)
