"""The curves of the live page: rates from counts over time, as SVG made here, so that they are there without scripts."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from markupsafe import Markup

from gossamer.crawl.status.status_records import CountHistory
from gossamer.printable_text import format_bytes

SPANS: dict[str, tuple[str, float]] = {
    "10m": ("10 minutes", 600.0),
    "1h": ("hour", 3_600.0),
    "1d": ("day", 86_400.0),
    "all": ("all", 0.0),
}
"""By name: how long a span is called, and its seconds; 0 for everything."""
USUAL_SPAN = "10m"
MOST_POINTS = 240
_ROWS = 12
_WIDTH, _HEIGHT = 600, 120
_MINUTE_S = 60.0


class Curve(msgspec.Struct, frozen=True):
    """One quantity over time."""

    key: str
    """Its name in the script."""
    label: str
    latest: str
    highest: str
    svg: Markup


class CurveRow(msgspec.Struct, frozen=True):
    """All quantities at one moment, as text."""

    when_s: float
    values: tuple[str, ...]


class CurveView(msgspec.Struct, frozen=True):
    """The curves of a span of time, and the same as a table."""

    curves: tuple[Curve, ...]
    rows: tuple[CurveRow, ...]
    since_s: float = 0.0
    until_s: float = 0.0


def make_curves(history: CountHistory) -> CurveView:
    """Return the curves of pages and bytes a second, failures a minute, and the queue."""
    times, widths_s = measure_widths(history.when_s)
    if not times:
        return CurveView((), ())

    def make_rates(counts: Sequence[int], unit_s: float = 1.0) -> list[float]:
        return [unit_s * count / width_s for count, width_s in zip(counts, widths_s, strict=False)]

    columns = (
        ("pages", "Pages a second", make_rates(history.pages), _format_rate),
        ("bytes", "Bytes a second", make_rates(history.bytes), format_bytes),
        ("failed", "Failures a minute", make_rates(history.failed, _MINUTE_S), _format_rate),
        ("waiting", "Queue", [float(one) for one in history.waiting[: len(times)]], _format_number),
    )
    curves = tuple(
        Curve(key, label, write(values[-1]), write(max(values)), draw_line(times, values))
        for key, label, values, write in columns
    )
    rows = tuple(
        CurveRow(times[at], tuple(write(values[at]) for _, _, values, write in columns))
        for at in _choose_rows(len(times))
    )
    return CurveView(curves, rows, times[0], times[-1])


def measure_widths(when_s: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the moments that rates are shown for, and how long the time before each is.

    A last moment that has only just begun is left out: what a crawl has fetched is counted when it is written, every few seconds.
    """
    times = list(when_s)
    if len(times) < 2:
        return [], []
    widths_s = [max(later_s - earlier_s, 1e-3) for earlier_s, later_s in pairwise(times)]
    widths_s.insert(0, widths_s[0])
    if widths_s[-1] < widths_s[0] / 2:
        del times[-1], widths_s[-1]
    return times, widths_s


def draw_line(times: Sequence[float], values: Sequence[float]) -> Markup:
    """Draw a line as SVG; it is stretched to the width of its place, and coloured by the style sheet."""
    begin_s, highest = times[0], max(max(values), 1e-9)
    width_s = max(times[-1] - begin_s, 1e-3)
    points = " ".join(
        f"{_WIDTH * (time_s - begin_s) / width_s:.0f},{_HEIGHT - 2 - (_HEIGHT - 6) * value / highest:.0f}"
        for time_s, value in zip(times, values, strict=True)
    )
    return Markup(
        '<svg viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        '<polyline points="{}" vector-effect="non-scaling-stroke"/></svg>'
    ).format(_WIDTH, _HEIGHT, points)


def _choose_rows(count: int) -> list[int]:
    """Return the places of at most a dozen rows, the newest first."""
    step = max(1, -(-count // _ROWS))
    return list(range(count - 1, -1, -step))


def _format_rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def _format_number(value: float) -> str:
    return f"{value:,.0f}"
