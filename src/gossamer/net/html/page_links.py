"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from collections.abc import Callable
from functools import lru_cache
from itertools import compress

from gossamer.net.html.head_metadata import refresh_of
from gossamer.net.html.link_columns import Links
from gossamer.net.html.outline import Outline, Tag, collapsed
from gossamer.net.url.resolve_links import LinkResolver
from gossamer.records import Link, LinkType

Attributes = dict[str, str]

# What a <link> must be to lead to a page; icons, style sheets, preloads and the like do not.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))


def read_links(outline: Outline, resolver: LinkResolver) -> Links:
    """Return the links that lead to pages, with their addresses in canonical form, in page order.

    A hundred <a> come between a few others. Cost: O(links).
    """
    urls = resolver.resolve_all(outline.hrefs)
    ordered = Links([], [], [], [], [])
    done = 0
    for before, tag in outline.tags:
        link = _rare_link(tag, resolver) if tag.tag in _RARE else None
        if link is not None:
            if before > done:
                _add_anchors(ordered, outline, urls, slice(done, before))
                done = before
            ordered.append(link)
    _add_anchors(ordered, outline, urls, slice(done, len(urls)))
    return ordered


def canonical_of(links: Links) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for place, rel in enumerate(links.rels):
        if rel and links.types[place] == "link" and "canonical" in rel.split():
            return links.urls[place]
    return ""


def _add_anchors(ordered: Links, outline: Outline, urls: list[str | None], some: slice) -> None:
    """Add some of the <a>, all but those that lead nowhere."""
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


def _rare_link(tag: Tag, resolver: LinkResolver) -> Link | None:
    kind, target_of = _RARE[tag.tag]
    said = tag.attributes
    target = target_of(said)
    url = None if target is None else resolver.resolve(target)
    if url is None:
        return None
    rel = collapsed(said["rel"]).lower() if "rel" in said else ""
    return Link(url, kind, collapsed(said.get("alt", "")), rel, collapsed(said.get("title", "")))


def _page_of_link(said: Attributes) -> str | None:
    if "href" not in said or not _leads_to_a_page(said.get("rel", "")):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in said.get("type", "").lower() else said["href"]


@lru_cache(maxsize=1_000)  # the same few words everywhere
def _leads_to_a_page(rel: str) -> bool:
    rels = rel.lower().split()
    return not _PAGE_RELS.isdisjoint(rels) and _NO_PAGE_RELS.isdisjoint(rels)


def _target_of_refresh(said: Attributes) -> str | None:
    if "http-equiv" not in said or collapsed(said["http-equiv"]).lower() != "refresh":
        return None
    refresh = refresh_of(said.get("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(said: Attributes) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = collapsed(said.get("method", "")).lower() not in ("post", "dialog")
    return said.get("action") or None if is_get else None


# Of which type a link is, and where it leads if anywhere: all but <a>, of which there are ten times as many as of
# these together.
_RARE: dict[str, tuple[LinkType, Callable[[Attributes], str | None]]] = {
    "area": ("area", lambda said: said.get("href")),
    "frame": ("frame", lambda said: said.get("src") or None),
    "iframe": ("iframe", lambda said: said.get("src") or None),
    "link": ("link", _page_of_link),
    "meta": ("refresh", _target_of_refresh),
    "form": ("form", _action_of_get_form),
}
