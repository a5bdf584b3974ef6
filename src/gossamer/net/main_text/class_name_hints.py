"""Derives hints about the text in an element from its class, id, role and tag.

Each hint is one bit, so that an element inherits hints by one `|`. The word lists were checked on 181 news and blog
pages of 126 sites: there, a smaller element with one of the unfavourable words has main text in at most a few of a
hundred cases, and the element with most of a page's text has a word of `FIRM` on one or two sites only (except
`has-comments` and similar names, which `_ABOUT_THE_PAGE` excludes).
"""

import re
from enum import IntFlag
from functools import lru_cache

from gossamer.net.html.parse_tree import Element, Tree


class ElementHint(IntFlag):
    """What a class, an id, a role or a tag suggests about the text."""

    COMMENT = 1 << 0
    RELATED = 1 << 1
    SHARE = 1 << 2
    MENU = 1 << 3
    ADVERT = 1 << 4
    META = 1 << 5
    CAPTION = 1 << 6
    BIOGRAPHY = 1 << 7
    PAGE_EDGE = 1 << 8
    SIDE = 1 << 9
    ASKING = 1 << 10
    UNSEEN = 1 << 11
    EMBED = 1 << 12
    ITEM_BODY = 1 << 13
    NAV_TAG = 1 << 14
    HEADER_TAG = 1 << 15
    FOOTER_TAG = 1 << 16
    ASIDE_TAG = 1 << 17
    FORM_TAG = 1 << 18
    FIGURE_TAG = 1 << 19
    CAPTION_TAG = 1 << 20
    QUOTE_TAG = 1 << 21
    HEADLINE = 1 << 22
    PAGE_HEAD = 1 << 23
    INTRODUCTION = 1 << 24


_WORDS: dict[ElementHint, str] = {
    ElementHint.COMMENT: "comment comments commentlist commentary commenter disqus respond reply replies discussion "
    "livefyre fyre kommentar kommentare commentaires comentarios comentários",
    ElementHint.RELATED: "related relatedposts relatedstories recommend recommended recommendation recommendations "
    "recommends popular trending trend latest recent teaser teasers promo promos promoted recirc recirculation "
    "readmore outbrain taboola crosslink carousel playlist alsolike mostread mostpopular yarpp upnext",
    ElementHint.SHARE: "share shares sharing sharebar social sharedaddy addthis addtoany whatsapp pinterest linkedin "
    "follow connect toolbar",
    ElementHint.MENU: "nav navigation navbar subnav menu submenu dropdown breadcrumb breadcrumbs crumb crumbs "
    "pagination pager paging skip toc links tabs sitemap navigationbar",
    ElementHint.ADVERT: "ad ads advert advertisement advertising adv sponsor sponsored dfp adslot adsense commercial "
    "anzeige werbung publicidad publicidade",
    ElementHint.META: "meta metadata byline author authors date time dateline timestamp published updated posted tag "
    "tags category categories taxonomy topics keywords",
    ElementHint.HEADLINE: "kicker eyebrow dek deck subtitle subline headline title titel titulo titre dachzeile",
    ElementHint.INTRODUCTION: "lead lede intro introduction introtext standfirst vorspann chapo chapeau summary abstract "
    "excerpt entradilla bajada sumario occhiello sommario ingress",
    ElementHint.CAPTION: "caption credit credits photo gallery figure picture thumbnail slide slideshow player "
    "bildunterschrift",
    ElementHint.BIOGRAPHY: "bio biography about profile contributor signature avatar",
    ElementHint.PAGE_EDGE: "footer foot copyright legal disclaimer policy privacy contentinfo impressum",
    ElementHint.PAGE_HEAD: "header masthead logo",
    ElementHint.SIDE: "sidebar aside widget widgets complementary secondary textwidget rail",
    ElementHint.ASKING: "newsletter subscribe subscription signup login form search register email popup modal overlay "
    "cookie cookies consent gdpr dialog cta button btn alert notice notification tooltip donate donation",
    ElementHint.UNSEEN: "hidden hide visuallyhidden sr invisible noprint offscreen",
    ElementHint.EMBED: "tweet twitter instagram embed oembed",
}
HINT_OF_WORD = {word: int(hint) for hint, words in _WORDS.items() for word in words.split()}
HINT_OF_TAG: dict[str, int] = {
    "nav": int(ElementHint.NAV_TAG),
    "header": int(ElementHint.HEADER_TAG),
    "footer": int(ElementHint.FOOTER_TAG),
    "address": int(ElementHint.FOOTER_TAG),
    "aside": int(ElementHint.ASIDE_TAG),
    "form": int(ElementHint.FORM_TAG),
    "label": int(ElementHint.FORM_TAG),
    "button": int(ElementHint.FORM_TAG),
    "fieldset": int(ElementHint.FORM_TAG),
    "dialog": int(ElementHint.FORM_TAG),
    "search": int(ElementHint.FORM_TAG),
    "figure": int(ElementHint.FIGURE_TAG),
    "figcaption": int(ElementHint.CAPTION_TAG),
    "caption": int(ElementHint.CAPTION_TAG),
    "blockquote": int(ElementHint.QUOTE_TAG),
}
_HINT_OF_ROLE: dict[str, int] = {
    "navigation": int(ElementHint.NAV_TAG),
    "menu": int(ElementHint.NAV_TAG),
    "menubar": int(ElementHint.NAV_TAG),
    "banner": int(ElementHint.HEADER_TAG),
    "contentinfo": int(ElementHint.FOOTER_TAG),
    "complementary": int(ElementHint.ASIDE_TAG),
    "search": int(ElementHint.FORM_TAG),
    "dialog": int(ElementHint.FORM_TAG),
    "alertdialog": int(ElementHint.FORM_TAG),
}

UNFAVOURABLE = int(
    ElementHint.COMMENT
    | ElementHint.RELATED
    | ElementHint.SHARE
    | ElementHint.MENU
    | ElementHint.ADVERT
    | ElementHint.META
    | ElementHint.CAPTION
    | ElementHint.BIOGRAPHY
    | ElementHint.PAGE_EDGE
    | ElementHint.SIDE
    | ElementHint.ASKING
    | ElementHint.UNSEEN
    | ElementHint.EMBED
    | ElementHint.HEADLINE
    | ElementHint.PAGE_HEAD
)
"""Names that suggest that the text is not main text."""
FIRM = int(
    ElementHint.COMMENT
    | ElementHint.RELATED
    | ElementHint.SHARE
    | ElementHint.MENU
    | ElementHint.PAGE_EDGE
    | ElementHint.PAGE_HEAD
)
"""Names that count even if the element has half of the page's text: a footer can be longer than the news."""
NAMES_OF_OTHER_TEXT = UNFAVOURABLE & ~int(ElementHint.HEADLINE | ElementHint.PAGE_HEAD)
"""Names that say more about the element itself than about those in it: stories begin in headers, not in bylines."""
DOUBTFUL_TAGS = int(
    ElementHint.NAV_TAG | ElementHint.HEADER_TAG | ElementHint.ASIDE_TAG | ElementHint.FORM_TAG
)
"""Tags that some pages put around everything."""

_ITEM_BODY = int(ElementHint.ITEM_BODY)
# Enough for every honest attribute; keeps the cache small if a page has a very long class.
NAME_CHARS = 400
_WORD = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+")
_MODIFYING_WORDS = (
    "has",
    "no",
    "with",
    "without",
    "is",
    "not",
    "type",
    "status",
    "format",
    "category",
    "tag",
)
MODIFIERS = (
    *(word + mark for word in _MODIFYING_WORDS for mark in "-_"),
    *(f"{word}-{state}" for word in ("comment", "comments") for state in ("open", "closed")),
)
"""Names that begin so are about the page."""
_ABOUT_THE_PAGE = re.compile("|".join(MODIFIERS), re.IGNORECASE)


@lru_cache(maxsize=16_384)
def find_name_hints(name: str) -> int:
    """Return the hints in a class or id attribute; modifiers such as `has-sidebar` are ignored."""
    hints = 0
    for part in name.split():
        if not _ABOUT_THE_PAGE.match(part):
            for word in _WORD.findall(part):
                hints |= HINT_OF_WORD.get(word.lower(), 0)
    return hints


@lru_cache(maxsize=16_384)
def find_hints(tag: str, name: str, identity: str, role: str, item: str) -> int:
    """Return the hints of an element in its tag, class, id, role and itemprop; "" for those that it does not have."""
    hints = HINT_OF_TAG.get(tag, 0) | _HINT_OF_ROLE.get(role.lower(), 0)
    if "articlebody" in item.lower():
        hints |= _ITEM_BODY
    return hints | find_name_hints(name[:NAME_CHARS]) | find_name_hints(identity[:NAME_CHARS])


def find_class_hints(element: Element) -> int:
    """Return the hints in the class and the id of an element."""
    hints = 0
    if name := element.attr("class"):
        hints = find_name_hints(name[:NAME_CHARS])
    if name := element.attr("id"):
        hints |= find_name_hints(name[:NAME_CHARS])
    return hints


def find_role_hints(tree: Tree | Element) -> dict[Element, int]:
    """Return the hints in role and itemprop, for the few elements that have them."""
    hints: dict[Element, int] = {}
    for element in tree.select("[role]"):
        hints[element] = _HINT_OF_ROLE.get((element.attr("role") or "").lower(), 0)
    for element in tree.select("[itemprop]"):
        if "articlebody" in (element.attr("itemprop") or "").lower():
            hints[element] = hints.get(element, 0) | _ITEM_BODY
    return hints
