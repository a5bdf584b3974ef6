"""Read an index whose files may be damaged: the engine's errors and panics become one sentence."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from gossamer.errors import StoreFailed

if TYPE_CHECKING:
    from gossamer.search.engine import tantivy

Found = TypeVar("Found")

# A panic of the engine arrives as an exception that is not an `Exception`, of a class that cannot be imported.
_PANIC = "PanicException"
_DAMAGE_WORDS = ("IO error", "corrupt")


class CheckedSearcher:
    """A searcher of the engine whose methods raise `StoreFailed` where the index is damaged."""

    def __init__(self, plain: "tantivy.Searcher") -> None:
        self.plain = plain

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.plain, name)
        found = partial(read_checked, value) if callable(value) else value
        setattr(self, name, found)  # a searcher sees one commit: nothing that it says changes
        return found


def read_checked(read: Callable[..., Found], *arguments: Any, **named: Any) -> Found:
    """Call a function that reads an index; raise `StoreFailed` if its files are damaged."""
    try:
        return read(*arguments, **named)
    except BaseException as error:
        is_damage = type(error).__name__ == _PANIC or isinstance(error, msgspec.MsgspecError)
        if is_damage or (isinstance(error, ValueError) and any(word in str(error) for word in _DAMAGE_WORDS)):
            raise StoreFailed("the index is damaged: `gossamer verify --repair` builds it anew") from None
        raise
