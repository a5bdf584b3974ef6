from collections.abc import Container

from gossamer.net.html.outline import Outline
from gossamer.net.html.references.page_references import AddressPlaces

def scan_links(
    source: bytes, most_links: int, needed_kinds: Container[str], groups: dict[str, int] | None = None
) -> tuple[Outline, list[str], AddressPlaces | None]: ...
def list_changes(spots: bytes, new: list[bytes | None]) -> list[tuple[int, int, bytes]]: ...
