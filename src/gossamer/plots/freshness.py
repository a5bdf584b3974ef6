"""Plots of freshness: what different budgets of visits keep, how often pages change, and how old copies are."""

from collections.abc import Mapping, Sequence

from gossamer.plots.canvas import GREY, PALETTE, Axes, Figure, format_log_axis, make_figure, use_house_style


@use_house_style
def draw_freshness(curve: Sequence[tuple[float, float]], per_day: float, now: float) -> Figure:
    """Draw the freshness that each budget keeps; mark the current budget and the current freshness."""
    made, (axes,) = make_figure(8.0, 4.8, title="How much of the web stays as it is on the net")
    budgets, fresh = [one for one, _ in curve], [100 * each for _, each in curve]
    axes.set(xscale="log", xlabel="visits a day", ylabel="fresh, % by weight")
    axes.plot(budgets, fresh, color=PALETTE[0], linewidth=1.8, marker="o", markersize=4)
    kept = dict(curve).get(per_day)
    if kept is not None:
        axes.plot([per_day], [100 * kept], color=PALETTE[5], marker="o", markersize=9)
        axes.annotate(
            f"this budget: {100 * kept:.1f} %",
            (per_day, 100 * kept),
            (-10, 6),
            textcoords="offset points",
            color=PALETTE[5],
            horizontalalignment="right",
        )
    axes.axhline(100 * now, color=GREY, linestyle="--", linewidth=1)
    axes.text(budgets[0], 100 * now + 1, f"now: {100 * now:.1f} %", color=GREY, fontsize=9)
    axes.set_ylim(0, 105)
    axes.grid(True)
    format_log_axis(axes.xaxis)
    return made


@use_house_style
def draw_change_and_age(changes: Mapping[str, int], ages: Mapping[str, int]) -> Figure:
    """Draw the number of pages by how often they change, and by the age of their copies."""
    made, panels = make_figure(9.5, 3.6, columns=2, title="Changes and copies")
    _draw_bars(panels[0], changes, "How often pages change", PALETTE[0])
    _draw_bars(panels[1], ages, "How old copies are", PALETTE[2])
    return made


def _draw_bars(axes: Axes, counts: Mapping[str, int], title: str, colour: str) -> None:
    axes.barh(range(len(counts)), list(counts.values()), color=colour, height=0.7)
    axes.set_yticks(range(len(counts)), list(counts))
    axes.invert_yaxis()
    axes.set(title=title, xlabel="pages")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value == int(value) else "")
    axes.grid(True, axis="x")
