"""Values that are costly to make, kept for a while: one for each key, made once for all who ask at the same time."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class RecentValues(Generic[Value]):
    """The last values, each as long as it is young enough."""

    def __init__(self, most: int, keep_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._keep_s = keep_s
        self._clock = clock
        self._lock = threading.Lock()
        self._values: dict[str, tuple[float, Value]] = {}
        """By key, the oldest first."""

    def get(
        self, key: str, make: Callable[[], Value], still_holds: Callable[[Value], bool] = lambda _: False
    ) -> Value:
        """Return the value of a key, made now if there is none that is young enough or still holds."""
        with self._lock:
            made_s, value = self._values.get(key, (0.0, None))
            is_young = self._clock() - made_s <= self._keep_s
            if value is not None and (is_young or still_holds(value)):
                return value
            self._values.pop(key, None)
            value = make()
            self._values[key] = (self._clock(), value)
            if len(self._values) > self._most:
                del self._values[next(iter(self._values))]
            return value
