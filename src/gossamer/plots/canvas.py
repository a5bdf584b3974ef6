"""Figures, colours and style of all plots; the only module that imports matplotlib (extra `graph`)."""

import io
import re
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, ParamSpec

from gossamer.errors import MissingExtra

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ImportError:
    raise MissingExtra("graph", "matplotlib") from None

__all__ = [
    "GREY",
    "INK",
    "PALETTE",
    "Axes",
    "Figure",
    "encode_figure",
    "format_log_axis",
    "make_figure",
    "make_printable",
    "remove_title",
    "shorten_name",
    "use_house_style",
]

# Colours that colour-blind people can tell apart: Okabe and Ito, "Color Universal Design", 2008.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
GREY, INK = "#999999", "#222222"
_PIXELS_PER_INCH = 150
_TITLE_CHARS = 80
_STYLE: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in a page title is text
    "svg.fonttype": "none",  # text stays text: it can be searched, and browsers have fonts for every script
    "svg.hashsalt": "gossamer",  # equal figures give equal files
}
# If a reader's computer lacks the first font, the others are nearly as wide.
_FONTS = (b"'DejaVu Sans'", b"'DejaVu Sans', Verdana, sans-serif")
_MISSING_LETTERS = "Glyph .* missing from"
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]+"
)

P = ParamSpec("P")


def use_house_style(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Decorate a function so that it draws in the common style."""

    @wraps(draw)
    def in_style(*given: P.args, **named: P.kwargs) -> Figure:
        with rc_context(_STYLE):
            return draw(*given, **named)

    return in_style


def make_figure(
    width_in: float, height_in: float, rows: int = 1, columns: int = 1, title: str = ""
) -> tuple[Figure, list[Axes]]:
    """Make a figure; return it and its panels, row by row."""
    made = Figure(figsize=(width_in, height_in), layout="constrained")
    FigureCanvasAgg(made)  # figures go to files, so no window is needed
    panels: list[Axes] = made.subplots(rows, columns, squeeze=False).ravel().tolist()
    if title:
        made.suptitle(make_printable(title, _TITLE_CHARS), x=0.01, ha="left", fontsize=13, fontweight="bold")
    return made, panels


def remove_title(drawing: Figure) -> Figure:
    """Remove the title of a figure that is shown below a heading."""
    drawing.suptitle("")
    return drawing


def encode_figure(drawing: Figure, kind: Literal["svg", "png"]) -> bytes:
    """Return a figure as the bytes of an SVG or PNG file."""
    out = io.BytesIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", _MISSING_LETTERS, UserWarning
        )  # PNG shows boxes; SVG keeps the text
        dateless = {"Date": None} if kind == "svg" else {"Software": None}
        drawing.savefig(out, format=kind, dpi=_PIXELS_PER_INCH, metadata=dateless, facecolor="white")
    return out.getvalue().replace(*_FONTS) if kind == "svg" else out.getvalue()


def make_printable(text: str, most: int) -> str:
    """Make text from the web safe for a figure: one line, no control characters, not too long."""
    line = " ".join(_UNPRINTABLE.sub(" ", text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def shorten_name(name: str, most: int) -> str:
    """Shorten a name for a figure; long URLs lose their middle, since URLs of one host differ at the end."""
    if " " in name:
        return make_printable(name, most)
    line = make_printable(name, 4 * most).removeprefix("http://").removeprefix("https://")
    return line if len(line) <= most else f"{line[: most // 2]}…{line[most // 2 + 1 - most :]}"


def format_log_axis(axis: Any) -> None:
    """Format the ticks of a logarithmic axis as 1, 10, 100, 1,000."""
    axis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else "")
    axis.set_minor_formatter(lambda *_: "")
