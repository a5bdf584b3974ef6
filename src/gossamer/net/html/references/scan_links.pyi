from collections.abc import Container

from gossamer.net.html.outline import Outline

def scan_links(source: bytes, most_links: int, needed_kinds: Container[str]) -> tuple[Outline, list[str]]: ...
