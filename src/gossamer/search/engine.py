"""Import the search engine, tantivy, which comes with the extra `search`."""

from gossamer.errors import MissingExtra

try:
    import tantivy
except ModuleNotFoundError:
    raise MissingExtra("search", "tantivy") from None

__all__ = ["tantivy"]
