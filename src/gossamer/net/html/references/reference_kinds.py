"""The kinds of references, and which tags and attributes hold them (HTML standard, section 4; SVG 2)."""

from functools import lru_cache

KINDS = {
    "anchor": "<a href>",
    "area": "<area href>",
    "image": "<img src>, <image href> of a drawing",
    "srcset": "a candidate of srcset or imagesrcset",
    "stylesheet": "<link rel=stylesheet>",
    "script": "<script src>",
    "icon": "<link rel=icon> and relatives",
    "frame": "<frame src>",
    "iframe": "<iframe src>",
    "object": "<object data>",
    "embed": "<embed src>",
    "video": "<video src>",
    "audio": "<audio src>",
    "source": "<source src>",
    "track": "<track src>",
    "poster": "<video poster>",
    "form": "<form action>, <button formaction>",
    "post-form": "the same with method POST",
    "input": "<input type=image src>",
    "feed": "<link rel=alternate> of RSS or Atom",
    "canonical": "<link rel=canonical>",
    "alternate": "<link rel=alternate hreflang>",
    "manifest": "<link rel=manifest>",
    "preload": "<link rel=preload>, prefetch, modulepreload, prerender",
    "hint": "<link rel=preconnect>, dns-prefetch, pingback: an address that need not be a page",
    "link": "<link> with any other rel",
    "refresh": "<meta http-equiv=refresh>",
    "meta-image": "<meta property=og:image> and relatives",
    "meta-url": "<meta property=og:url> and relatives",
    "background": "the background attribute of <body>, <table>, <td>",
    "use": "<use href> of a drawing",
    "cite": "the cite attribute of <blockquote>, <q>, <ins>, <del>",
    "longdesc": "<img longdesc>",
    "base": "<base href>",
    "css-url": "url() in a style sheet",
    "css-import": "@import in a style sheet",
}

# Of every attribute name, in which slot of the current tag its place is kept.
_ATTRIBUTE_LIST = (
    "href src srcset id name alt style rel type content http-equiv property data poster action formaction method "
    "formmethod background hreflang xlink:href cite longdesc lang imagesrcset color face size encoding integrity "
    "crossorigin xml:lang"
)
ATTRIBUTE_NAMES = tuple(_ATTRIBUTE_LIST.split())

_TAG_LIST = (
    "a area img image link script frame iframe object embed video audio source track form input button meta base html "
    "style title textarea xmp noembed noframes plaintext template svg math foreignobject desc mi mo mn ms mtext "
    "annotation-xml use feimage blockquote q ins del body table td th tr tbody thead tfoot pattern lineargradient "
    "radialgradient textpath font"
)
TAG_NAMES = tuple(_TAG_LIST.split())

# A start tag of these leaves a drawing or formula (HTML standard, section 13.2.6.5).
_BREAKOUT_LIST = (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
BREAKOUT_NAMES = tuple(_BREAKOUT_LIST.split())

_ICON_RELS = frozenset(
    (
        "icon",
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "mask-icon",
        "fluid-icon",
        "apple-touch-startup-image",
    )
)
_PRELOAD_RELS = frozenset(("preload", "prefetch", "modulepreload", "prerender"))
_HINT_RELS = frozenset(("preconnect", "dns-prefetch", "pingback", "profile", "edituri", "wlwmanifest"))
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_IMAGE_METAS = frozenset(
    (
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
        "msapplication-tileimage",
        "thumbnail",
    )
)
_URL_METAS = frozenset(
    ("og:url", "og:video", "og:video:url", "og:audio", "og:audio:url", "twitter:player", "twitter:url")
)


@lru_cache(maxsize=1_000)  # few different values occur
def find_link_kind(rel: str, media_type: str, has_language: bool) -> str:
    """Return the kind of a <link>, by its rel, type and hreflang."""
    rels = set(rel.lower().split())
    if "stylesheet" in rels:
        return "stylesheet"
    for kind, names in (("icon", _ICON_RELS), ("preload", _PRELOAD_RELS), ("hint", _HINT_RELS)):
        if rels & names:
            return kind
    if "alternate" in rels:
        if media_type.lower().strip().startswith(_FEED_TYPES):
            return "feed"
        return "alternate" if has_language else "link"
    return next((kind for kind in ("canonical", "manifest") if kind in rels), "link")


@lru_cache(maxsize=1_000)
def find_meta_kind(name: str) -> str | None:
    """Return the kind of the address in a <meta> of this name; None if it holds none."""
    name = name.strip().lower()
    if name in _IMAGE_METAS:
        return "meta-image"
    return "meta-url" if name in _URL_METAS else None
