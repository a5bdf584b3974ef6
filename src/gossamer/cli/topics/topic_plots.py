"""The plot of a topic: its calibration and its most typical words."""

from gossamer.assess.results.precision import wilson_interval
from gossamer.cli.topics.show import select_words
from gossamer.plots.canvas import (
    GREY,
    INK,
    PALETTE,
    Axes,
    Figure,
    make_figure,
    make_printable,
    use_house_style,
)
from gossamer.text.topics.model_file import Card

_WORDS_DRAWN = 20
_WORD_CHARS = 32
_LEAST_DOT, _MOST_DOT = 25.0, 350.0


@use_house_style
def draw_topic(name: str, card: Card) -> Figure:
    """Draw calibration beside words, or words alone if there was no cross-validation."""
    columns = 2 if card.tried else 1
    made, panels = make_figure(5.5 * columns, 5.2, columns=columns, title=f"The topic {name}")
    if card.tried:
        _draw_calibration(panels[0], card)
        # Below the plot: any corner inside it may hold data.
        named = panels[0].get_legend_handles_labels()
        made.legend(*named, loc="outside lower center", ncols=2, frameon=False, markerscale=0.6)
    _draw_words(panels[-1], card)
    return made


def _draw_calibration(axes: Axes, card: Card) -> None:
    bins = card.tried.bins if card.tried else ()
    most = max(one.pages for one in bins)
    foreseen, found = [one.foreseen for one in bins], [one.found for one in bins]
    sizes = [_LEAST_DOT + (_MOST_DOT - _LEAST_DOT) * one.pages / most for one in bins]
    axes.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1, label="perfect calibration")
    reaches = [wilson_interval(one.found, one.pages) for one in bins]
    axes.vlines(
        foreseen, [low for low, _ in reaches], [high for _, high in reaches], color=PALETTE[0], linewidth=1.2
    )
    axes.scatter(
        foreseen,
        found,
        s=sizes,
        color=PALETTE[0],
        alpha=0.75,
        zorder=3,
        clip_on=False,
        label="cross-validated pages, with 95 % intervals",
    )
    for one in bins:
        axes.annotate(
            f"{one.pages:,}",
            (one.foreseen, one.found),
            (8, -3),
            textcoords="offset points",
            fontsize=7.5,
            color=INK,
        )
    axes.set(title="Calibration", xlabel="predicted probability", ylabel="observed share")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.grid(True)


def _draw_words(axes: Axes, card: Card) -> None:
    words = select_words(card, _WORDS_DRAWN)
    colours = [PALETTE[0] if weight > 0 else PALETTE[5] for _, weight in words]
    axes.barh(range(len(words)), [weight for _, weight in words], color=colours, height=0.7)
    axes.set_yticks(range(len(words)), [make_printable(word, _WORD_CHARS) for word, _ in words])
    axes.invert_yaxis()
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set(title="Most typical words", xlabel="weight for or against the topic")
    axes.grid(True, axis="x")
