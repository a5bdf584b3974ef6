"""Makes the outline of a page from its tree, for malformed pages, which the scanner cannot read."""

import sys
from bisect import bisect_left

from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.html.outline import OUTLINED_TAGS, Outline, Tag, collapse_spaces
from gossamer.net.html.parse_tree import Element, Tree, find_elements, find_place
from gossamer.net.html.visible_text import read_labels, read_text


def make_outline(tree: Tree, page_chars: int, most_links: int = sys.maxsize) -> Outline:
    """Return the outline of a page. The texts of links are limited by the length of the page: see `read_labels`."""
    every_anchor = [anchor for anchor in find_elements(tree, "a") if anchor.attr("href") is not None]
    anchors = every_anchor[:most_links]
    places = [find_place(anchor) for anchor in anchors]
    tags = [element for tag in OUTLINED_TAGS for element in find_elements(tree, tag) if element.attrs]
    tags.sort(key=find_place)
    return Outline(
        title=_find_title(tree),
        text=read_text(tree),
        hrefs=[_cut_fragment(anchor.attr("href") or "") for anchor in anchors],
        labels=read_labels(tree, ("a",), anchors, page_chars, with_alternatives=True),
        rels=[collapse_spaces(anchor.attr("rel") or "").lower() for anchor in anchors],
        titles=[collapse_spaces(anchor.attr("title") or "") for anchor in anchors],
        headings=_find_headings(tree, page_chars),
        tags=[(bisect_left(places, find_place(element)), _make_tag(element)) for element in tags],
        links_cut=len(every_anchor) - len(anchors),
    )


def _find_title(tree: Tree) -> str:
    """Return the first title that is not inside a drawing."""
    titles = (title.text for title in find_elements(tree, "title") if title.closest("svg") is None)
    return collapse_spaces(next(titles, ""))


def _cut_fragment(href: str) -> str:
    return href[: href.find("#") + 1] or href


def _make_tag(element: Element) -> Tag:
    return Tag(element.tag, {name: element.attr(name) or "" for name in element.attrs})


def _find_headings(tree: Tree, page_chars: int) -> list[tuple[int, str]]:
    found = [heading for tag in HEADING_TAGS for heading in find_elements(tree, tag)]
    found.sort(key=find_place)
    labels = read_labels(tree, HEADING_TAGS, found, page_chars)
    levels = [HEADING_TAGS.index(heading.tag) + 1 for heading in found]
    return list(zip(levels, labels, strict=True))
