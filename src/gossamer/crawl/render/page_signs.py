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
# Scripts of these measure, advertise, ask for consent or mend old browsers: none makes the text or the links of a page.
_SERVICES = tuple(
    b"google-analytics.com googletagmanager.com googletagservices.com googlesyndication.com googleadservices.com doubleclick.net "
    b"stats.wp.com matomo piwik plausible.io hotjar.com clarity.ms cloudflareinsights.com scorecardresearch.com chartbeat.com "
    b"parsely.com ioam.de quantserve.com newrelic nr-data.net connect.facebook.net platform.twitter.com addthis.com addtoany.com "
    b"cookielaw.org cookiebot.com usercentrics.eu use.typekit.net fontawesome html5shi modernizr polyfill".split()
)
# Files of these do nothing by themselves, or something for the looks: what calls them is another script of the page.
_LIBRARY = re.compile(
    rb"[/\"'=](?:jquery|bootstrap|popper|lazysizes|lazyload|slick|swiper|fancybox|lightbox|prism|prettify|highlight|mathjax|wp-emoji|wp-embed"
    rb"|comment-reply|respond)[\w.-]{0,40}\.js"
)
_SNIPPET_BYTES = 2_000
"""What a service asks to be put into a page is shorter; a longer script that names one may do other things, too."""
# A script in the page that has none of these changes nothing that a reader sees, in lower case.
_CHANGES = (
    *b"innerhtml outerhtml innertext textcontent insertadjacent document.write srcdoc append prepend( insertbefore".split(),
    *b"replacewith replacechild createelement setattribute fragment require( fetch( xmlhttprequest eval( atob(".split(),
    *b"location .src .href $( jquery render mount hydrate import( import{".split(),
    b"import ",
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
    *(b"pushstate(", b"location.href=", b"location.href =", b"location.assign(", b"location.replace("),
    *(b"'scroll'", b'"scroll"'),
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
    rb"src\s*=\s*[\"']?[^\"'\s>]{0,300}?(?:[/._-]|(?<=[\"'=]))(?:app|bundle|chunk|client|router|render|infinite|load-?more|spa)"
    rb"[^/\"'\s>]{0,60}\.m?js"
)
_HAS_SOURCE = re.compile(rb"\ssrc\s*=")


class PageSigns(msgspec.Struct, frozen=True):
    """What speaks for showing a page in a browser."""

    need: Need
    reason: str = ""


NO_SIGNS = PageSigns("none")


def shows_text_and_links(reading: Reading) -> bool:
    """Say whether a page shows enough without scripts that only doubtful signs speak for a browser."""
    return reading.page.words >= SOME_WORDS and len(reading.links) >= FEW_LINKS


def find_signs(reading: Reading, body: bytes) -> PageSigns:
    """Return what a page that was read says about its need of a browser. Cost: one pass that lowers the case, and finds."""
    if reading.page.kind != "html":
        return NO_SIGNS
    lower = body[:_SEARCHED_BYTES].lower()
    words, links = reading.page.words, len(reading.links)
    scripts = _find_scripts(lower)
    if not shows_text_and_links(reading):
        scripts = [script for script in scripts if _may_change(script) and not _is_service(script)]
    if not scripts:
        return NO_SIGNS
    if words < FEW_WORDS and links < FEW_LINKS:
        return PageSigns("likely", "hardly any text or links, and scripts")
    if words < SOME_WORDS and (why := _find_emptiness(lower)):
        return PageSigns("likely", why)
    if links < FEW_LINKS and any(_contains(script, _MAKES_LINKS) for script in scripts):
        return PageSigns("likely", "links only in scripts")
    if any(_may_build(script) for script in scripts):
        return PageSigns("doubtful", "scripts that may build content")
    if words < FEW_WORDS:
        return PageSigns("doubtful", "little text, and scripts")
    return NO_SIGNS


def _find_scripts(lower: bytes) -> list[bytes]:
    """Return the scripts of a page with their tags, each up to a length; data in script elements is left out."""
    found: list[bytes] = []
    at = lower.find(b"<script")
    for _ in range(_MOST_SCRIPTS):
        if at < 0:
            break
        end = lower.find(b"</script", at)
        end = len(lower) if end < 0 else end
        script = lower[at : min(end, at + _SCRIPT_BYTES)]
        if not _contains(_take_tag(script), _DATA_TYPES):
            found.append(script)
        at = lower.find(b"<script", end)
    return found


def _take_tag(script: bytes) -> bytes:
    """Return the tag that a script begins with, up to a length."""
    return script[: min(_TAG_BYTES, script.find(b">") + 1 or _TAG_BYTES)]


def _is_service(script: bytes) -> bool:
    """Say whether a script is of a service or a library that makes no page by itself."""
    if len(script) > _SNIPPET_BYTES:
        return False
    return _contains(script, _SERVICES) or _LIBRARY.search(_take_tag(script)) is not None


def _may_build(script: bytes) -> bool:
    """Say whether a script looks like one that adds content to a page that has some."""
    found = _contains(script, _BUILDS) or _SOURCE.search(_take_tag(script)) is not None
    return found and not _is_service(script)


def _may_change(script: bytes) -> bool:
    """Say whether a script may change what the page shows: one in a file may always."""
    return _HAS_SOURCE.search(_take_tag(script)) is not None or _contains(script, _CHANGES)


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
