"""Numbers by page that grow while the crawl goes on: in-links, relevant out-links, cash. Kept in small pieces."""

from array import array
from collections.abc import Iterable

_KEY_BYTES = 8


class Ledger:
    """A number for each page, and which of them have changed since somebody last wrote them down."""

    def __init__(self) -> None:
        self._numbers: dict[int, float] = {}
        self._changed: set[int] = set()

    def __contains__(self, key: int) -> bool:
        return key in self._numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, key: int) -> float:
        return self._numbers.get(key, 0.0)

    def __setitem__(self, key: int, number: float) -> None:
        self._numbers[key] = number
        self._changed.add(key)

    def keys(self) -> Iterable[int]:
        """Return the pages that have a number."""
        return self._numbers.keys()

    def known(self, keys: Iterable[int]) -> set[int]:
        """Return those of these pages that have a number."""
        return self._numbers.keys() & keys

    def pop(self, key: int) -> float:
        """Take the number of a page out; 0 if it has none."""
        number = self._numbers.pop(key, None)
        if number is None:
            return 0.0
        self._changed.add(key)
        return number

    def changes(self) -> bytes:
        """Return, packed, what has changed since this was last asked; what is gone is not a number."""
        changed, self._changed = self._changed, set()
        return _packed({key: self._numbers.get(key, float("nan")) for key in changed})

    def everything(self) -> bytes:
        """Return all numbers, packed."""
        return _packed(self._numbers)

    def recall(self, packed: bytes) -> None:
        """Know again what was returned; the last word holds."""
        for key, number in _unpacked(packed):
            if number == number:
                self._numbers[key] = number
            else:
                self._numbers.pop(key, None)

    def join(self, packed: bytes) -> None:
        """Know as well what `everything` of another one returned: of two numbers, the one that says more."""
        for key, number in _unpacked(packed):
            if abs(number) > abs(self[key]):
                self._numbers[key] = number


def _unpacked(packed: bytes) -> Iterable[tuple[int, float]]:
    half = len(packed) // (_KEY_BYTES + 4) * _KEY_BYTES
    return zip(array("q", packed[:half]), array("f", packed[half:]), strict=True)


def _packed(numbers: dict[int, float]) -> bytes:
    return array("q", numbers.keys()).tobytes() + array("f", numbers.values()).tobytes()
