"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from collections.abc import Callable, Iterable

from gossamer.net.head import Attributes, refresh_of
from gossamer.net.text_of import collapsed, words_of
from gossamer.net.tree import Node, tag_id
from gossamer.records import Link, LinkType

# What a <link> must be to lead to a page; icons, style sheets, preloads and the like do not.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))


def _page_of_link(attributes: Attributes) -> str | None:
    rels = (attributes.get("rel") or "").lower().split()
    if _PAGE_RELS.isdisjoint(rels) or not _NO_PAGE_RELS.isdisjoint(rels):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in (attributes.get("type") or "").lower() else attributes.get("href")


def _target_of_refresh(attributes: Attributes) -> str | None:
    if (attributes.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    refresh = refresh_of(attributes.get("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(attributes: Attributes) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = (attributes.get("method") or "").strip().lower() not in ("post", "dialog")
    return attributes.get("action") or None if is_get else None


def _href(attributes: Attributes) -> str | None:
    return attributes.get("href")


def _src(attributes: Attributes) -> str | None:
    return attributes.get("src") or None


# Of which type a link is, and where it leads.
_TARGETS: dict[int, tuple[LinkType, Callable[[Attributes], str | None]]] = {
    tag_id("area"): ("area", _href),
    tag_id("frame"): ("frame", _src),
    tag_id("iframe"): ("iframe", _src),
    tag_id("link"): ("link", _page_of_link),
    tag_id("meta"): ("refresh", _target_of_refresh),
    tag_id("form"): ("form", _action_of_get_form),
}
RARE_LINK_TAGS = frozenset(_TARGETS)
"""All but <a>, of which there are ten times as many as of these together."""

FoundLink = tuple[str, LinkType, str, str | None, str | None]
"""Target as written, type, words, rel and title as written."""


def anchor_link(anchor: Node) -> FoundLink | None:
    """Return the link that an <a> makes, if it makes one."""
    attributes = anchor.attributes
    href = attributes.get("href")
    if href is None:
        return None
    return href, "a", words_of(anchor, True), attributes.get("rel"), attributes.get("title")


def rare_link(tag: int, attributes: Attributes) -> FoundLink | None:
    """Return the link that an element other than <a> makes, if it makes one."""
    kind, target_of = _TARGETS[tag]
    target = target_of(attributes)
    if target is None:
        return None
    return (
        target,
        kind,
        collapsed(attributes.get("alt") or ""),
        attributes.get("rel"),
        attributes.get("title"),
    )


def resolved(found: Iterable[FoundLink], resolve: Callable[[str], str | None]) -> list[Link]:
    """Return the links that lead to pages, with their addresses in canonical form."""
    links = []
    # Two of three links of a page differ from another only in the fragment; each call saved counts.
    known: dict[str, str | None] = {}
    for target, kind, text, rel, title in found:
        address = target[: target.find("#") + 1] or target
        if address not in known:
            known[address] = resolve(address)
        url = known[address]
        if url is not None:
            rel = collapsed(rel.lower()) if rel else ""
            links.append(Link(url, kind, text, rel, collapsed(title) if title else ""))
    return links


def canonical_of(links: Iterable[Link]) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for link in links:
        if link.type == "link" and "canonical" in link.rel.split():
            return link.url
    return ""
