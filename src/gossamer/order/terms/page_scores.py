"""Numbers by page that change during a crawl, such as in-links and cash, and their packed form."""

from array import array
from collections.abc import Iterable

_KEY_BYTES = 8


class PageScores:
    """A number for each page, and which numbers have changed since they were last packed."""

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

    def select_known(self, keys: Iterable[int]) -> set[int]:
        """Return those of these pages that have a number."""
        return self._numbers.keys() & keys

    def pop(self, key: int) -> float:
        """Remove and return the number of a page; 0 if it has none."""
        number = self._numbers.pop(key, None)
        if number is None:
            return 0.0
        self._changed.add(key)
        return number

    def pack_changes(self) -> bytes:
        """Return the numbers that have changed since the last call, packed; NaN for a removed one."""
        changed, self._changed = self._changed, set()
        return _pack({key: self._numbers.get(key, float("nan")) for key in changed})

    def pack_all(self) -> bytes:
        """Return all numbers, packed."""
        return _pack(self._numbers)

    def load(self, packed: bytes) -> None:
        """Load packed numbers; they replace older ones."""
        for key, number in _unpack(packed):
            if number == number:
                self._numbers[key] = number
            else:
                self._numbers.pop(key, None)

    def merge(self, packed: bytes) -> None:
        """Merge the result of another `pack_all`: of two numbers of a page, the larger by absolute value is kept."""
        for key, number in _unpack(packed):
            if abs(number) > abs(self[key]):
                self._numbers[key] = number


def _unpack(packed: bytes) -> Iterable[tuple[int, float]]:
    half = len(packed) // (_KEY_BYTES + 4) * _KEY_BYTES
    return zip(array("q", packed[:half]), array("f", packed[half:]), strict=True)


def _pack(numbers: dict[int, float]) -> bytes:
    return array("q", numbers.keys()).tobytes() + array("f", numbers.values()).tobytes()
