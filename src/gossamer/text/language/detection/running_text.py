"""Running text, as opposed to lists, tables, menus and headlines.

Stein 1997, section 4.8, goes by Zipf words alone: a text with less than 20 % of them is no running text. On labelled blocks
of real pages this finds nearly all running text, but two fifths of what it finds are menus, headings and lists (F1 0.74).
So other features are weighed as well: length, sentence ends, capitals, letters and, for a block of a page, its kind and links.
"""

from itertools import pairwise
from typing import Final, NamedTuple

from gossamer.net.html.document import Block, BlockKind
from gossamer.text.language.detection.running_text_features import RunningTextWeights

try:
    from gossamer.text.language.detection.running_text_features_compiled import count_letters, weigh
except ImportError:
    from gossamer.text.language.detection.running_text_features import count_letters, weigh


class ExtraBlockWeights(NamedTuple):
    """The weights of the features of a block beside its text."""

    links: float
    """For the share of its characters inside links."""
    kinds: dict[BlockKind, float]


# Letters and plain text files wrap at 65 to 130 characters; menus have short lines, pages one line for each paragraph.
_MIN_WIDTH: Final = 40
_MAX_WIDTH: Final = 140

# Learnt by `bench/running_text.py --learn` from the tuning half of the labelled blocks.
TEXT_WEIGHTS: Final = RunningTextWeights(-9.31, 1.72, 1.44, 3.36, -0.67, -3.49, 0.92, 0.23, -1.34, -2.06)
BLOCK_WEIGHTS: Final = RunningTextWeights(-8.73, 2.11, 1.44, 2.39, -1.06, -2.64, 1.31, 0.18, -1.37, -2.26)
EXTRA_BLOCK_WEIGHTS: Final = ExtraBlockWeights(-1.98, {"heading": -1.88, "list item": -0.59, "code": -0.82})


def is_running(text: str, letters: int, zipf_share: float) -> bool:
    """Say whether a text is running text, from the text alone.

    `letters` is the number of its letters. A text of several lines is running text if more than half of its characters
    stand in lines of running text.
    """
    if "\n" not in text:
        return weigh(text, letters, zipf_share, TEXT_WEIGHTS) > 0
    letter_share = letters / max(1, len(text))
    running = sum(
        len(line)
        for line in join_wrapped_lines(text)
        if weigh(line, letter_share * len(line), zipf_share, TEXT_WEIGHTS) > 0
    )
    return 2 * running > len(text)


def join_wrapped_lines(text: str) -> list[str]:
    """Return the lines of a text, with wrapped lines joined again.

    A line continues in the next one if the first word of the next would not have fitted. A text with longer lines, or
    with short lines only, was not wrapped.
    """
    if "\n" not in text:
        return [text]
    lines = text.split("\n")
    lengths = sorted(map(len, filter(None, lines))) or [0]
    width = lengths[-1 - len(lengths) // 20]  # ignores outliers, such as a URL longer than the width
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        return lines
    joined = [lines[:1]]
    for before, line in pairwise(lines):
        if before and line and len(before) + 1 + len(line.lstrip().partition(" ")[0]) > width:
            joined[-1].append(line)
        else:
            joined.append([line])
    return [" ".join(parts) for parts in joined]


def block_is_running(block: Block, zipf_share: float) -> bool:
    """Say whether a block of a page is running text. More Zipf words never make it less so."""
    score = weigh(block.text, count_letters(block.text), zipf_share, BLOCK_WEIGHTS)
    return (
        score
        + EXTRA_BLOCK_WEIGHTS.links * block.link_density
        + EXTRA_BLOCK_WEIGHTS.kinds.get(block.kind, 0.0)
        > 0
    )
