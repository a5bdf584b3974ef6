"""What the names that page authors give to elements say about the text inside.

Each hint is one bit, so that what an element inherits is one `|`. The word lists were checked against 181
news and blog pages of 126 sites: on them, a smaller element with one of the unfavourable words holds main
text in at most a few of a hundred cases, and the element that holds most of a page's text carries a word of
`FIRM` on one or two sites only (but for `has-comments` and its like, which `_ABOUT_THE_PAGE` leaves out).
"""

import re
from enum import IntFlag
from functools import lru_cache

from gossamer.net.html.parse_tree import Element, Tree


class Hint(IntFlag):
    """What a class, an id, a role or a tag suggests."""

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


_WORDS: dict[Hint, str] = {
    Hint.COMMENT: "comment comments commentlist commentary commenter disqus respond reply replies discussion "
    "livefyre fyre kommentar kommentare commentaires comentarios comentários",
    Hint.RELATED: "related relatedposts relatedstories recommend recommended recommendation recommendations "
    "recommends popular trending trend latest recent teaser teasers promo promos promoted recirc recirculation "
    "readmore outbrain taboola crosslink carousel playlist alsolike mostread mostpopular yarpp upnext",
    Hint.SHARE: "share shares sharing sharebar social sharedaddy addthis addtoany whatsapp pinterest linkedin "
    "follow connect toolbar",
    Hint.MENU: "nav navigation navbar subnav menu submenu dropdown breadcrumb breadcrumbs crumb crumbs "
    "pagination pager paging skip toc links tabs sitemap navigationbar",
    Hint.ADVERT: "ad ads advert advertisement advertising adv sponsor sponsored dfp adslot adsense commercial "
    "anzeige werbung publicidad publicidade",
    Hint.META: "meta metadata byline author authors date time dateline timestamp published updated posted tag "
    "tags category categories taxonomy topics keywords kicker eyebrow dek deck subtitle headline title",
    Hint.CAPTION: "caption credit credits photo gallery figure picture thumbnail slide slideshow player "
    "bildunterschrift",
    Hint.BIOGRAPHY: "bio biography about profile contributor signature avatar",
    Hint.PAGE_EDGE: "footer header masthead foot copyright legal disclaimer policy privacy logo contentinfo",
    Hint.SIDE: "sidebar aside widget widgets complementary secondary textwidget rail",
    Hint.ASKING: "newsletter subscribe subscription signup login form search register email popup modal overlay "
    "cookie cookies consent gdpr dialog cta button btn alert notice notification tooltip donate donation",
    Hint.UNSEEN: "hidden hide visuallyhidden sr invisible noprint offscreen",
    Hint.EMBED: "tweet twitter instagram embed oembed",
}
_HINT_OF_WORD = {word: int(hint) for hint, words in _WORDS.items() for word in words.split()}
HINT_OF_TAG: dict[str, int] = {
    "nav": int(Hint.NAV_TAG),
    "header": int(Hint.HEADER_TAG),
    "footer": int(Hint.FOOTER_TAG),
    "address": int(Hint.FOOTER_TAG),
    "aside": int(Hint.ASIDE_TAG),
    "form": int(Hint.FORM_TAG),
    "label": int(Hint.FORM_TAG),
    "button": int(Hint.FORM_TAG),
    "fieldset": int(Hint.FORM_TAG),
    "dialog": int(Hint.FORM_TAG),
    "search": int(Hint.FORM_TAG),
    "figure": int(Hint.FIGURE_TAG),
    "figcaption": int(Hint.CAPTION_TAG),
    "caption": int(Hint.CAPTION_TAG),
    "blockquote": int(Hint.QUOTE_TAG),
}
_HINT_OF_ROLE: dict[str, int] = {
    "navigation": int(Hint.NAV_TAG),
    "menu": int(Hint.NAV_TAG),
    "menubar": int(Hint.NAV_TAG),
    "banner": int(Hint.HEADER_TAG),
    "contentinfo": int(Hint.FOOTER_TAG),
    "complementary": int(Hint.ASIDE_TAG),
    "search": int(Hint.FORM_TAG),
    "dialog": int(Hint.FORM_TAG),
    "alertdialog": int(Hint.FORM_TAG),
}

UNFAVOURABLE = int(
    Hint.COMMENT
    | Hint.RELATED
    | Hint.SHARE
    | Hint.MENU
    | Hint.ADVERT
    | Hint.META
    | Hint.CAPTION
    | Hint.BIOGRAPHY
    | Hint.PAGE_EDGE
    | Hint.SIDE
    | Hint.ASKING
    | Hint.UNSEEN
    | Hint.EMBED
)
"""Bits that words of the author set against the text."""
FIRM = int(Hint.COMMENT | Hint.RELATED | Hint.SHARE | Hint.MENU | Hint.PAGE_EDGE)
"""Words that hold even where an element has half of the page's text: a footer can be longer than the news."""
DOUBTFUL_TAGS = int(Hint.NAV_TAG | Hint.HEADER_TAG | Hint.ASIDE_TAG | Hint.FORM_TAG)
"""Tags that some pages wrap around everything."""

_ITEM_BODY = int(Hint.ITEM_BODY)
# Enough for every honest attribute; keeps the cache small when somebody writes a book into a class.
_NAME_CHARS = 400
_WORD = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+")
_ABOUT_THE_PAGE = re.compile(
    r"(?:has|no|with|without|is|not|type|status|format|category|tag)[-_]|comments?-(?:open|closed)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def hints_of_name(name: str) -> int:
    """Return the hints in a class or id attribute; modifiers such as `has-sidebar` say nothing."""
    hints = 0
    for part in name.split():
        if not _ABOUT_THE_PAGE.match(part):
            for word in _WORD.findall(part):
                hints |= _HINT_OF_WORD.get(word.lower(), 0)
    return hints


def hints_of_names(element: Element) -> int:
    """Return the hints that class and id give."""
    hints = 0
    if name := element.attr("class"):
        hints = hints_of_name(name[:_NAME_CHARS])
    if name := element.attr("id"):
        hints |= hints_of_name(name[:_NAME_CHARS])
    return hints


def hints_of_roles(tree: Tree) -> dict[Element, int]:
    """Return the hints that role and itemprop give, for the few elements that have them."""
    hints: dict[Element, int] = {}
    for element in tree.select("[role]"):
        hints[element] = _HINT_OF_ROLE.get((element.attr("role") or "").lower(), 0)
    for element in tree.select("[itemprop]"):
        if "articlebody" in (element.attr("itemprop") or "").lower():
            hints[element] = hints.get(element, 0) | _ITEM_BODY
    return hints
