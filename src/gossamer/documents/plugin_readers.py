"""Reads documents of further media types by plug-ins that a task names."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from gossamer.documents.document_content import DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.html_text import add_html
from gossamer.errors import BadInput
from gossamer.plugins import Plugin, load_plugin
from gossamer.records import Page

READER = "reader"
"""The mark of a page that a plug-in has read, with the name of the plug-in."""
DOCUMENT = "document"
"""The kind of such a page."""
_PREFIX = "plugin:"

PluginReaders = Mapping[str, str]
"""By media type: the name of the plug-in that reads it."""
NO_READERS: PluginReaders = {}


@lru_cache(maxsize=64)
def load_reader(name: str) -> Plugin:
    """Load a reader; raise BadInput if there is none of this name, or if it does not say what it reads."""
    plugin = load_plugin("readers", name)
    types = getattr(plugin.__wrapped__, "media_types", None)
    if not types or isinstance(types, str) or not all(isinstance(one, str) for one in types):
        raise BadInput(f"the reader {name} does not say which media types it reads: set its media_types")
    return plugin


def load_readers(names: Iterable[str]) -> PluginReaders:
    """Find the media types of readers by name; of several for one media type, the first counts."""
    found: dict[str, str] = {}
    for name in names:
        for media_type in load_reader(name).__wrapped__.media_types:  # type: ignore[attr-defined]
            found.setdefault(media_type.lower(), name)
    return found


def find_former_reader(page: Page) -> PluginReaders:
    """Return the plug-in that has read a page before, for its media types; none if it is not installed any more."""
    try:
        return load_readers((page.marks[READER],)) if READER in page.marks else NO_READERS
    except BadInput:
        return NO_READERS


def name_reader(plugin: str) -> str:
    """Return the name under which a plug-in is asked to read a document."""
    return _PREFIX + plugin


def get_plugin_name(reader: str) -> str:
    """Return the name of the plug-in behind a reader; "" for a reader of ours."""
    return reader.removeprefix(_PREFIX) if is_plugin(reader) else ""


def is_plugin(reader: str) -> bool:
    """Say whether a reader is a plug-in, which has a process of its own."""
    return reader.startswith(_PREFIX)


class PluginReader:
    """Reads documents by a plug-in, which returns their content, or HTML with the same text and links."""

    def __init__(self, reader: str) -> None:
        self._plugin = load_reader(get_plugin_name(reader))

    def __call__(self, body: bytes, url: str) -> DocumentContent:
        """Read a document; raise UnreadableDocument with a sentence that names the plug-in if that fails."""
        try:
            found = self._plugin(body, url)
            if not isinstance(found, str | DocumentContent):
                raise TypeError(f"it returned {type(found).__name__}, not the document as HTML")
            return _read_html(found, url) if isinstance(found, str) else found
        except (UnreadableDocument, MemoryError, RecursionError):  # the worker has its own words for these
            raise
        except Exception as error:
            raise UnreadableDocument("broken", self._plugin.describe_failure(error)) from error


def _read_html(source: str, url: str) -> DocumentContent:
    text = TextCollector()
    title = add_html(text, source, url, with_headings=True)
    return DocumentContent(
        format=DOCUMENT,
        title=title,
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
    )
