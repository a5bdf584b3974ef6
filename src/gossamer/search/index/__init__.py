"""What does the index hold, and how does it keep up with its web?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gossamer.search.index.search_index import Index

__all__ = ["Index"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: modules that read pages must work without the engine.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("gossamer.search.index.search_index"), name)
