"""Find the URLs of forgotten pages in texts and bytes, and take them out."""

import re
from collections.abc import Callable, Iterable, Iterator

_SCHEME = re.compile(rb"[a-zA-Z][a-zA-Z0-9+.-]{1,15}://")
# A longer URL that begins with the forgotten one is another page; a fragment is a place on the same page.
_GOES_ON = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?@!$&*+;=%")
_ENDS_SENTENCE = frozenset(b".,;:!?")


class Needles:
    """Some URLs, and patterns that cover others. Cost of a search: one look for each length at each `://`."""

    def __init__(self, urls: Iterable[str], covers: Callable[[str], bool] | None = None) -> None:
        self._urls = frozenset(url.encode("utf-8", "replace") for url in urls)
        self._lengths = sorted({len(url) for url in self._urls}, reverse=True)
        self._covers = covers
        """Says whether a host or a pattern covers a URL."""

    def __bool__(self) -> bool:
        return bool(self._urls) or self._covers is not None

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield where the URLs begin and end."""
        if b"://" not in data:
            return
        past = 0
        for scheme in _SCHEME.finditer(data):
            if scheme.start() < past:
                continue
            for begin in range(scheme.start(), scheme.end() - 4):  # `xhttp://` in packed bytes
                end = self._match(data, begin)
                if end:
                    past = end
                    yield begin, end
                    break

    def _match(self, data: bytes, begin: int) -> int:
        """Return where a URL that begins here ends; 0 if it is none of these."""
        for length in self._lengths:
            end = begin + length
            if end <= len(data) and data[begin:end] in self._urls and not _goes_on(data, end):
                return end
        if self._covers is not None:
            end = begin
            while end < len(data) and data[end] in _GOES_ON:
                end += 1
            if self._covers(data[begin:end].decode("utf-8", "replace")):
                return end
        return 0

    def is_in(self, data: bytes) -> bool:
        """Say whether one of the URLs is in some bytes."""
        return next(self.find(data), None) is not None

    def blank(self, data: bytes) -> bytes:
        """Replace the URLs by as many letters x."""
        found = list(self.find(data))
        if not found:
            return data
        blanked = bytearray(data)
        for begin, end in found:
            blanked[begin:end] = b"x" * (end - begin)
        return bytes(blanked)

    def cut(self, data: bytes) -> bytes:
        """Take the URLs out of some bytes."""
        kept, last = [], 0
        for begin, end in self.find(data):
            kept.append(data[last:begin])
            last = end
        return b"".join([*kept, data[last:]])

    def scrub(self, text: str) -> str:
        """Return a text without the URLs."""
        if "://" not in text:
            return text
        return self.cut(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def _goes_on(data: bytes, end: int) -> bool:
    """Say whether a URL goes on after a place; a full stop before a space ends it."""
    if end >= len(data) or data[end] not in _GOES_ON:
        return False
    return not (data[end] in _ENDS_SENTENCE and (end + 1 >= len(data) or data[end + 1] not in _GOES_ON))
