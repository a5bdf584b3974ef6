"""The parameters of the search page, and the addresses of pages with other parameters."""

from collections.abc import Mapping

import msgspec

from gossamer.ui.render_template import encode_parameters

FILTERS = ("language", "site", "type", "after", "before")
"""Parameters that narrow the answers: fields of the query language."""
_MOST_CHARACTERS = 20_000
LAST_PAGE = 100
_MOST_DIGITS = 9
REST = "*"
"""Stands for the answers that are in no group: no label is like it."""


class SearchRequest(msgspec.Struct, frozen=True):
    """A query, the page of answers to show, and the active filters."""

    q: str = ""
    page: int = 1
    language: str = ""
    site: str = ""
    type: str = ""
    after: str = ""
    before: str = ""
    origin: str = ""
    """The only one of several webs to search."""
    group: str = ""
    """The label of the only group of answers to show; `REST` for those in no group."""

    @property
    def only(self) -> dict[str, str]:
        """The active filters."""
        filters = {name: getattr(self, name) for name in FILTERS}
        return {name: value for name, value in filters.items() if value}

    @property
    def kept(self) -> dict[str, str]:
        """The parameters that another query keeps: the active filters, and the web to search."""
        return self.only | ({"origin": self.origin} if self.origin else {})

    def make_address(self, path: str = "", **changes: str | int) -> str:
        """Return the address of the same request with some changes; it shows the first page of answers unless given.

        Other answers have other groups: the group is kept only while nothing else changes.
        """
        group = self.group if changes.keys() <= {"page"} and not path else ""
        other = msgspec.structs.replace(self, **{"page": 1, "group": group, **changes})
        page = {"page": other.page} if other.page > 1 else {}
        chosen = {"group": other.group} if other.group else {}
        path = path or ("/groups" if other.group else "/search")
        return f"{path}?{encode_parameters({'q': other.q, **other.kept, **chosen, **page})}"


def read_request(parameters: Mapping[str, str]) -> SearchRequest:
    """Read the parameters of an address; invalid ones are ignored."""
    words = {
        name: parameters.get(name, "").strip()[:_MOST_CHARACTERS]
        for name in ("q", "origin", "group", *FILTERS)
    }
    page = parameters.get("page", "")
    number = int(page[:_MOST_DIGITS]) if page.isdecimal() else 1
    return SearchRequest(page=min(LAST_PAGE, max(1, number)), **words)
