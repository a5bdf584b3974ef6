"""Plot of word frequencies by rank (Zipf's law), several curves in one figure."""

from collections.abc import Mapping, Sequence

import numpy as np

from gossamer.plots.canvas import (
    GREY,
    INK,
    PALETTE,
    Figure,
    format_log_axis,
    make_figure,
    make_printable,
    use_house_style,
)

MOST_CURVES = 7
# Yellow lines are invisible on white.
_COLOURS = (INK, *PALETTE[:6])
_NAME_CHARS = 45


@use_house_style
def draw_frequencies(curves: Mapping[str, Sequence[float]], title: str, mark: tuple[float, str]) -> Figure:
    """Draw shares by rank, one named curve each, and a labelled line at one share.

    Only the first `MOST_CURVES` curves are drawn, since more could not be distinguished.
    """
    made, (axes,) = make_figure(9.5, 5.6, title=title)
    axes.set(xscale="log", yscale="log", xlabel="rank of the word", ylabel="share of all words")
    lowest, longest = mark[0], 10
    for (name, shares), colour in zip(curves.items(), _COLOURS, strict=False):
        ranks = np.arange(1, len(shares) + 1)
        axes.plot(ranks, shares, color=colour, linewidth=1.6, label=make_printable(name, _NAME_CHARS))
        lowest, longest = min(lowest, shares[-1]), max(longest, len(shares))
    share, meaning = mark
    axes.axhline(share, color=GREY, linestyle="--", linewidth=1)
    axes.text(1.05, share * 0.93, make_printable(meaning, 60), color=GREY, fontsize=9, va="top")
    axes.set_xlim(0.9, 1.3 * longest)
    axes.set_ylim(lowest / 1.5, None)
    axes.grid(True)
    format_log_axis(axes.xaxis)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g}%")
    axes.yaxis.set_minor_formatter(lambda *_: "")
    axes.legend(loc="upper right", frameon=False)
    return made
