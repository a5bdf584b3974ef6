import re
from collections.abc import Callable, Mapping

from gossamer.net.html.document import BlockKind

class LayoutRules:
    def __init__(
        self,
        kind_of_tag: Mapping[str, BlockKind],
        hint_of_tag: Mapping[str, int],
        navigation: int,
        hiding_style: re.Pattern[str],
        find_hints: Callable[[str, str, str, str, str], int],
        hint_of_word: Mapping[str, int],
        modifiers: tuple[str, ...],
        most_chars: int,
    ) -> None: ...
    def find_plain_hints(self, name: bytes) -> int | None: ...
