from collections.abc import Mapping

from gossamer.net.html.references.page_references import Reference

def find_edits(
    source: bytes, known: Mapping[str, Mapping[bytes, bytes | None]], has_base: bool = False
) -> tuple[list[tuple[int, int, bytes]], list[Reference], str, bool]: ...
