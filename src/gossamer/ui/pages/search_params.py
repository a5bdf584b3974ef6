"""What a page of answers was asked for, as its address says it, and the addresses of pages that ask otherwise."""

from collections.abc import Mapping

import msgspec

from gossamer.ui.render_template import parameters

NARROWING = ("language", "site", "type", "after", "before")
"""Parameters that narrow down what is found: fields of the query language."""
_MOST_CHARACTERS = 20_000
_LAST_PAGE = 100
_MOST_DIGITS = 9


class Asked(msgspec.Struct, frozen=True):
    """A query, the page of its answers, and what these must be."""

    q: str = ""
    page: int = 1
    language: str = ""
    site: str = ""
    type: str = ""
    after: str = ""
    before: str = ""

    @property
    def only(self) -> dict[str, str]:
        """What pages must be."""
        told = {name: getattr(self, name) for name in NARROWING}
        return {name: value for name, value in told.items() if value}

    def address(self, path: str = "/search", **changes: str | int) -> str:
        """Return the address that asks the same but for some changes, from the first page on."""
        other = msgspec.structs.replace(self, **{"page": 1, **changes})
        page = {"page": other.page} if other.page > 1 else {}
        return f"{path}?{parameters({'q': other.q, **other.only, **page})}"


def asked_of(told: Mapping[str, str]) -> Asked:
    """Read the parameters of an address; what makes no sense is left out."""
    words = {name: told.get(name, "").strip()[:_MOST_CHARACTERS] for name in ("q", *NARROWING)}
    page = told.get("page", "")
    number = int(page[:_MOST_DIGITS]) if page.isdecimal() else 1
    return Asked(page=min(_LAST_PAGE, max(1, number)), **words)
