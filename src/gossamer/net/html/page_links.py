"""Reads the links of a page in page order: URL, type and text."""

from collections.abc import Callable
from functools import lru_cache
from itertools import compress

from gossamer.net.html.head_metadata import parse_refresh
from gossamer.net.html.link_columns import PageLinks
from gossamer.net.html.outline import Outline, Tag, collapse_spaces
from gossamer.net.url.resolve_links import LinkResolver
from gossamer.records import Link, LinkType

Attributes = dict[str, str]

# The rels of a <link> that leads to a page, unlike icons, style sheets and preloads.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))


def read_links(outline: Outline, resolver: LinkResolver) -> PageLinks:
    """Return the links that lead to pages, with canonical URLs, in page order.

    Nearly all of them are <a>, so these are added in runs between the others. Cost: O(links).
    """
    urls = resolver.resolve_all(outline.hrefs)
    ordered = PageLinks([], [], [], [], [])
    done = 0
    for before, tag in outline.tags:
        link = _read_rare_link(tag, resolver) if tag.tag in _RARE else None
        if link is not None:
            if before > done:
                _add_anchors(ordered, outline, urls, slice(done, before))
                done = before
            ordered.append(link)
    _add_anchors(ordered, outline, urls, slice(done, len(urls)))
    return ordered


def find_canonical(links: PageLinks) -> str:
    """Return the canonical URL that a page declares; "" if it declares none."""
    place = -1
    for _ in range(links.types.count("link")):
        place = links.types.index("link", place + 1)
        if "canonical" in links.rels[place].split():
            return links.urls[place]
    return ""


def _add_anchors(ordered: PageLinks, outline: Outline, urls: list[str | None], some: slice) -> None:
    """Add a slice of the <a>, without those that have no valid URL."""
    found, labels, rels, titles = urls[some], outline.labels[some], outline.rels[some], outline.titles[some]
    if None in found:
        leads = [url is not None for url in found]
        labels, rels, titles = (list(compress(each, leads)) for each in (labels, rels, titles))
    anchors = [url for url in found if url is not None]
    ordered.urls += anchors
    ordered.types += ["a"] * len(anchors)
    ordered.texts += labels
    ordered.rels += rels
    ordered.titles += titles


def _read_rare_link(tag: Tag, resolver: LinkResolver) -> Link | None:
    kind, find_target = _RARE[tag.tag]
    attributes = tag.attributes
    target = find_target(attributes)
    url = None if target is None else resolver.resolve(target)
    if url is None:
        return None
    text = collapse_spaces(attributes["alt"]) if "alt" in attributes else ""
    rel = collapse_spaces(attributes["rel"]).lower() if "rel" in attributes else ""
    title = collapse_spaces(attributes["title"]) if "title" in attributes else ""
    return Link(url, kind, text, rel, title)


def _find_link_page(attributes: Attributes) -> str | None:
    if "href" not in attributes or not _leads_to_a_page(attributes.get("rel", "")):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in attributes.get("type", "").lower() else attributes["href"]


@lru_cache(maxsize=1_000)  # few different values occur
def _leads_to_a_page(rel: str) -> bool:
    rels = rel.lower().split()
    return not _PAGE_RELS.isdisjoint(rels) and _NO_PAGE_RELS.isdisjoint(rels)


def _find_refresh_target(attributes: Attributes) -> str | None:
    if "http-equiv" not in attributes or collapse_spaces(attributes["http-equiv"]).lower() != "refresh":
        return None
    refresh = parse_refresh(attributes.get("content"))
    return refresh[1] or None if refresh else None


def _find_form_action(attributes: Attributes) -> str | None:
    # Any other method counts as GET, as in browsers.
    is_get = collapse_spaces(attributes.get("method", "")).lower() not in ("post", "dialog")
    return attributes.get("action") or None if is_get else None


# The type of a link and the function that finds its target, for all tags except <a>, of which there are ten times as
# many as of these together.
_RARE: dict[str, tuple[LinkType, Callable[[Attributes], str | None]]] = {
    "area": ("area", lambda attributes: attributes.get("href")),
    "frame": ("frame", lambda attributes: attributes.get("src") or None),
    "iframe": ("iframe", lambda attributes: attributes.get("src") or None),
    "link": ("link", _find_link_page),
    "meta": ("refresh", _find_refresh_target),
    "form": ("form", _find_form_action),
}
