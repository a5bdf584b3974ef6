from gossamer.net.html.document import BlockKind
from gossamer.net.html.outline import Outline

class LayoutRecorder:
    parents: list[int]
    tags: list[str]
    kinds: list[BlockKind]
    hints: list[int]
    fragments: list[tuple[int, str, int, list[int]]]
    hrefs: list[str]

def scan_layout(
    source: bytes, rules: object, show_hidden: bool = ..., is_serialized: bool = ...
) -> LayoutRecorder | None: ...
def scan(source: bytes, most_links: int = ..., is_serialized: bool = ...) -> Outline | None: ...
