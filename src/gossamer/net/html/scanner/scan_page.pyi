from collections.abc import Sequence

from gossamer.net.html.document import BlockKind
from gossamer.net.html.outline import Outline
from gossamer.net.html.scanner.layout_rules import LayoutRules

class LayoutRecorder:
    parents: list[int]
    tags: list[str]
    kinds: list[BlockKind]
    hints: list[int]
    places: list[int]
    texts: list[str]
    link_sizes: list[int]
    links: list[Sequence[int]]
    hrefs: list[str]
    has_hidden: bool

def scan_layout(
    source: bytes, rules: LayoutRules, show_hidden: bool = ..., is_serialized: bool = ...
) -> LayoutRecorder | None: ...
def scan(source: bytes, most_links: int = ..., is_serialized: bool = ...) -> Outline | None: ...
