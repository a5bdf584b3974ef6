"""What does a page refer to, and where in its source? Links, images, style sheets, frames, fragments."""

from gossamer.net.html.references.page_references import (
    AddressPlaces,
    PageReferences,
    Place,
    Reference,
    SourceLines,
    find_place,
)
from gossamer.net.html.references.scan_references import read_references

__all__ = [
    "AddressPlaces",
    "PageReferences",
    "Place",
    "Reference",
    "SourceLines",
    "find_place",
    "read_references",
]
