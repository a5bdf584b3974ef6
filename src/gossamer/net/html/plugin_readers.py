"""Reads documents of further media types by plug-ins, which turn them into HTML."""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from functools import lru_cache

from gossamer.errors import BadInput
from gossamer.net.html.document import Document, Guard
from gossamer.net.html.read_html import MAX_LINKS, read
from gossamer.plugins import Plugin, load_plugin

READER = "reader"
"""The mark of a page that a plug-in has read, with the name of the plug-in."""
DOCUMENT = "document"
"""The kind of such a page."""

Readers = Mapping[str, Plugin]
"""Plug-ins by media type."""


@lru_cache(maxsize=64)
def load_reader(name: str) -> Plugin:
    """Load a reader; raise BadInput if there is none of this name, or if it does not say what it reads."""
    plugin = load_plugin("readers", name)
    types = getattr(plugin.__wrapped__, "media_types", None)
    if not types or isinstance(types, str) or not all(isinstance(one, str) for one in types):
        raise BadInput(f"the reader {name} does not say which media types it reads: set its media_types")
    return plugin


def load_readers(names: Iterable[str]) -> Readers:
    """Load readers by name; of several for one media type, the first counts."""
    found: dict[str, Plugin] = {}
    for plugin in map(load_reader, names):
        for media_type in plugin.__wrapped__.media_types:  # type: ignore[attr-defined]
            found.setdefault(media_type.lower(), plugin)
    return found


def find_reader(readers: Readers, content_type: str | None) -> Plugin | None:
    """Return the reader of a content type, parameters aside."""
    return readers.get((content_type or "").partition(";")[0].strip().lower()) if readers else None


def read_document(
    reader: Plugin, body: bytes, url: str, most_links: int = MAX_LINKS, guard: Guard = nullcontext
) -> Document:
    """Read a document by a plug-in; raise what it raises, and TypeError if it returns no text."""
    text = reader(body, url)
    if not isinstance(text, str):
        raise TypeError(f"it returned {type(text).__name__}, not the HTML of the document as a string")
    return read(text, url, "text/html", most_links, guard)
