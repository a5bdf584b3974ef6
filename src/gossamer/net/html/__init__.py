"""What is on a page, and where does it link to? One pass over its source, or one parse."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gossamer.net.html.read_html import MAX_BYTES, MAX_LINKS, read, read_addresses

if TYPE_CHECKING:
    from gossamer.net.main_text.sentences import sentences
    from gossamer.net.main_text.text_blocks import blocks, main_text, words_around

__all__ = [
    "MAX_BYTES",
    "MAX_LINKS",
    "blocks",
    "main_text",
    "read",
    "read_addresses",
    "sentences",
    "words_around",
]

# Loaded on first use: with the parser they take as long to load as everything else, and most pages need neither.
_LATE = {
    "blocks": "text_blocks",
    "main_text": "text_blocks",
    "words_around": "text_blocks",
    "sentences": "sentences",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gossamer.net.main_text.{_LATE[name]}"), name)
