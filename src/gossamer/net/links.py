"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from operator import itemgetter

from gossamer.net.head import refresh_of
from gossamer.net.text_of import collapsed, labels_of
from gossamer.net.tree import Element, Tree, elements, place_of
from gossamer.records import Link, LinkType

# What a <link> must be to lead to a page; icons, style sheets, preloads and the like do not.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))

Resolve = Callable[[str], str | None]


def read_links(tree: Tree, resolve: Resolve, page_chars: int) -> list[Link]:
    """Return the links that lead to pages, with their addresses in canonical form, in page order.

    Their words are bounded by the length of the page, `page_chars`: see `labels_of`.
    """
    anchors, links = _anchor_links(tree, resolve, page_chars)
    rare = [
        (place_of(element), link)
        for selector, (kind, target_of) in _RARE.items()
        for element in tree.select(selector)
        if (target := target_of(element)) is not None and (link := _rare_link(element, kind, target, resolve))
    ]
    rare.sort(key=itemgetter(0))
    ordered: list[Link] = []
    done = 0
    for place, link in rare:
        before = bisect_left(anchors, place, lo=done, key=place_of)
        ordered += links[done:before]
        ordered.append(link)
        done = before
    return ordered + links[done:]


def canonical_of(links: Iterable[Link]) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for link in links:
        if link.type == "link" and "canonical" in link.rel.split():
            return link.url
    return ""


def _anchor_links(tree: Tree, resolve: Resolve, page_chars: int) -> tuple[list[Element], list[Link]]:
    """Return the <a> that make links, and these. There are a hundred on a page: few calls each."""
    found = [
        (anchor, url)
        for anchor in elements(tree, "a")
        if (href := anchor.attr("href")) is not None and (url := resolve(href)) is not None
    ]
    anchors = [anchor for anchor, _ in found]
    labels = labels_of(tree, ("a",), anchors, page_chars, with_alternatives=True)
    # One question to the tree is cheaper than one to each anchor: most pages use neither or one of the two.
    rels = {anchor: " ".join((anchor.attr("rel") or "").lower().split()) for anchor in tree.select("a[rel]")}
    titles = {anchor: " ".join((anchor.attr("title") or "").split()) for anchor in tree.select("a[title]")}
    if rels or titles:
        links = [
            Link(url, "a", label, rels.get(anchor, ""), titles.get(anchor, ""))
            for (anchor, url), label in zip(found, labels, strict=True)
        ]
    else:
        links = [Link(url, "a", label) for (_, url), label in zip(found, labels, strict=True)]
    return anchors, links


def _rare_link(element: Element, kind: LinkType, target: str, resolve: Resolve) -> Link | None:
    url = resolve(target)
    if url is None:
        return None
    rel, title, text = (_attribute(element, name) for name in ("rel", "title", "alt"))
    return Link(url, kind, text, rel.lower(), title)


def _attribute(element: Element, name: str) -> str:
    return collapsed(element.attr(name) or "")


def _page_of_link(element: Element) -> str | None:
    rels = (element.attr("rel") or "").lower().split()
    if _PAGE_RELS.isdisjoint(rels) or not _NO_PAGE_RELS.isdisjoint(rels):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in (element.attr("type") or "").lower() else element.attr("href")


def _target_of_refresh(element: Element) -> str | None:
    if _attribute(element, "http-equiv").lower() != "refresh":
        return None
    refresh = refresh_of(element.attr("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(element: Element) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = _attribute(element, "method").lower() not in ("post", "dialog")
    return element.attr("action") or None if is_get else None


# Of which type a link is, and where it leads if anywhere: all but <a>, of which there are ten times as many as of
# these together.
_RARE: dict[str, tuple[LinkType, Callable[[Element], str | None]]] = {
    "area[href]": ("area", lambda element: element.attr("href")),
    "frame[src]": ("frame", lambda element: element.attr("src") or None),
    "iframe[src]": ("iframe", lambda element: element.attr("src") or None),
    "link[rel]": ("link", _page_of_link),
    "meta[http-equiv]": ("refresh", _target_of_refresh),
    "form[action]": ("form", _action_of_get_form),
}
