"""Whether a text is running text at all, or a list, a table, a menu, a headline.

Seed 003, section 4.8, goes by Zipf words alone: below 20 % of them it is no text. On labelled blocks of real pages that
finds nearly all running text, but two fifths of what it takes for text are menus, headings and lists (F1 0.74). So what else
can be seen is weighed with it: length, how sentences end, capitals, letters, and of a block of a page also its kind and its links.
"""

from itertools import pairwise
from typing import Final, NamedTuple

from gossamer.net.html.document import Block, BlockKind
from gossamer.text.language.detection.text_features import Weights

try:
    from gossamer.text.language.detection.text_features_compiled import weigh
except ImportError:
    from gossamer.text.language.detection.text_features import weigh


class BlockWeights(NamedTuple):
    """What a block of a page tells beside its text."""

    links: float
    """For the share of its characters that stand in links."""
    kinds: dict[BlockKind, float]


# Letters and plain text files are broken at 65 to 130 characters; menus have short lines, pages a line for each paragraph.
_NARROWEST: Final = 40
_WIDEST: Final = 140

# Learnt by `bench/running_text.py --learn` from the tuning half of the labelled blocks.
OF_TEXT: Final = Weights(-9.31, 1.72, 1.44, 3.36, -0.67, -3.49, 0.92, 0.23, -1.34, -2.06)
OF_BLOCK: Final = Weights(-8.73, 2.11, 1.44, 2.39, -1.06, -2.64, 1.31, 0.18, -1.37, -2.26)
BESIDE: Final = BlockWeights(-1.98, {"heading": -1.88, "list item": -0.59, "code": -0.82})


def is_running(text: str, letters: int, zipf_share: float) -> bool:
    """Say whether a text is running text, from what the text alone shows.

    `letters` is how many of its characters are letters. A text of several lines is, if lines that are make up more than
    half of it.
    """
    if "\n" not in text:
        return weigh(text, letters, zipf_share, OF_TEXT) > 0
    letter_share = letters / max(1, len(text))
    running = sum(
        len(line)
        for line in unwrapped(text)
        if weigh(line, letter_share * len(line), zipf_share, OF_TEXT) > 0
    )
    return 2 * running > len(text)


def unwrapped(text: str) -> list[str]:
    """Return the lines of a text; what somebody has broken to fit a width is put together again.

    A line goes on in the next one if the first word of that would not have fitted. Longer lines, or none but short ones,
    show that nothing was broken.
    """
    lines = text.split("\n")
    lengths = sorted(map(len, filter(None, lines))) or [0]
    width = lengths[-1 - len(lengths) // 20]  # an address that is longer than the width stands out
    if not _NARROWEST <= width <= _WIDEST:
        return lines
    whole = [lines[:1]]
    for before, line in pairwise(lines):
        if before and line and len(before) + 1 + len(line.lstrip().partition(" ")[0]) > width:
            whole[-1].append(line)
        else:
            whole.append([line])
    return [" ".join(parts) for parts in whole]


def block_is_running(block: Block, zipf_share: float) -> bool:
    """Say whether a block of a page is running text."""
    letters = sum(map(str.isalpha, block.text))
    seen = weigh(block.text, letters, zipf_share, OF_BLOCK)
    return seen + BESIDE.links * block.link_density + BESIDE.kinds.get(block.kind, 0.0) > 0
