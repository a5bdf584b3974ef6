"""Let the links of an archived copy lead to the archived copies of their targets, where the web has them.

All other links become absolute, since the copy is at an address of this server. Its own <base> elements are removed, or they
would move our links.
"""

from urllib.parse import urldefrag, urljoin

from gossamer.documents.readable_pages import is_document
from gossamer.errors import BadUrl
from gossamer.net import url as urls
from gossamer.net.html.parse_tree import Element, Tree, find_elements
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.ui.render_template import encode_parameters

READABLE = ("html", "text", "xml", "json", "feed", "sitemap")
"""The kinds of pages that can be shown as a copy."""
_ATTRIBUTES = ("href", "xlink:href")
_MOST_LOOK_UPS = 2_000
_FIRST_ERROR = 400


class CopyLinks:
    """Rewrites the links of one copy."""

    def __init__(self, store: Store, page: Page, query: str = "", origin: str = "") -> None:
        self._store = store
        self._page = page
        self._query = query
        """The words to mark in the copies that the links lead to."""
        self._origin = origin
        """Which of several webs they are in."""
        self._copies: dict[int, str] = {}
        """By target: the address of its page; "" if there is no copy."""

    def rewrite(self, tree: Tree, base: str) -> None:
        """Rewrite the links of a tree; `base` is the address that they are relative to."""
        for element in find_elements(tree, "base"):
            element.decompose()
        for tag in ("a", "area"):
            for element in find_elements(tree, tag):
                for name in _ATTRIBUTES:
                    if isinstance(value := element.attrs.get(name), str):
                        self._rewrite_link(element, name, value.strip(), base)

    def _rewrite_link(self, element: Element, name: str, address: str, base: str) -> None:
        try:
            absolute, part = urldefrag(urljoin(base, address))
            target = urls.page_id(urls.canonical(absolute))
        except (BadUrl, ValueError):  # mailto:, or nothing that a browser could open
            return
        if target == self._page.id and (part or address.startswith("#")):
            element.attrs[name], element.attrs["target"] = f"#{part}", "_self"
        elif url := self._find_copy(target):
            fields = {"url": url, "q": self._query, "part": part, "origin": self._origin}
            element.attrs[name] = f"/cached?{encode_parameters(fields)}"
        else:
            element.attrs[name] = f"{absolute}#{part}" if part else absolute

    def _find_copy(self, target: int) -> str:
        """Return the address of a page that can be shown as a copy, or to which the target redirects; "" for none."""
        if target not in self._copies and len(self._copies) < _MOST_LOOK_UPS:
            page = self._store.page(target)
            if page is None:
                ends = [link.target for link in self._store.links_from(target) if link.type == "redirect"]
                page = self._store.page(ends[0]) if ends else None
            is_shown = page is not None and page.archive and (page.kind in READABLE or is_document(page))
            self._copies[target] = page.url if page and is_shown and page.status < _FIRST_ERROR else ""
        return self._copies.get(target, "")
