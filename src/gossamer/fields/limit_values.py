"""Limits what structured data of a page may hold: pages are written by strangers."""

from typing import Any

MOST_DEPTH = 20
MOST_VALUES = 20_000
"""Values of one page, the keys of objects included."""
MOST_CHARACTERS = 100_000
"""Characters of one value."""


class ValueBudget:
    """Counts the values of one page; what is beyond the limits is left out."""

    def __init__(self, most: int = MOST_VALUES) -> None:
        self._left = most
        self.cut = False
        """Whether something was left out."""

    def limit(self, value: Any, depth: int = 0) -> Any:
        """Return a value as plain dictionaries, lists, texts, numbers, booleans and None, within the limits."""
        if self._left <= 0 or depth > MOST_DEPTH:
            self.cut = True
            return None
        self._left -= 1
        if isinstance(value, dict):
            return {
                str(key)[:MOST_CHARACTERS]: self.limit(one, depth + 1)
                for key, one in self._first(value.items())
            }
        if isinstance(value, list | tuple):
            return [self.limit(one, depth + 1) for one in self._first(value)]
        if isinstance(value, str):
            self.cut |= len(value) > MOST_CHARACTERS
            return clean_surrogates(value[:MOST_CHARACTERS])
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, int):  # a number of a million digits takes quadratic time to write
            return value if abs(value) < 1 << 63 else float("inf")
        return self.limit(clean_surrogates(str(value)), depth)

    def _first(self, values: Any) -> list[Any]:
        found = list(values)
        if len(found) > self._left:
            self.cut = True
        return found[: max(0, self._left)]


def clean_surrogates(text: str) -> str:
    """Return a text that can be encoded: halves of surrogate pairs become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
