from collections.abc import Mapping

from gossamer.records import LinkType

def ids_of(urls: list[str]) -> dict[str, int]: ...
def targets_of(urls: list[str], ids: dict[str, int]) -> list[int]: ...
def unknown_places(urls: list[str], ids: dict[str, int], known: bytes) -> list[int]: ...
def kinds_of(
    types: list[LinkType],
    urls: list[str],
    rels: list[str],
    kind_of_type: Mapping[LinkType, int],
    spans: dict[str, int],
    nofollow: int,
) -> bytes: ...
