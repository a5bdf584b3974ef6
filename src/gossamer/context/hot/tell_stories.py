"""Tell hot stories in words and curves: sentences, sparklines for terminals, points for pictures, and a feed."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

from gossamer.context.hot.hot_records import HotReport, HotStory, format_day
from gossamer.context.write_feed import FeedEntry, name_entry, render_feed
from gossamer.crawl.task_counts import format_count

_BARS = "▁▂▃▄▅▆▇█"
_WORDS_OF_A_TITLE = 5
SOURCE_NAMES = {
    "page": "by their page",
    "url": "by their URL",
    "server": "by Last-Modified",
    "fetch": "by the first visit",
}


def draw_sparkline(curve: Sequence[float]) -> str:
    """Return a curve as one line of bars."""
    highest = max(curve, default=0.0)
    if highest <= 0:
        return _BARS[0] * len(curve)
    return "".join(_BARS[min(int(value / highest * len(_BARS)), len(_BARS) - 1)] for value in curve)


def place_points(curve: Sequence[float], width: int, height: int) -> str:
    """Return a curve as the points of an SVG polyline in a box, with a margin of 2 for the line."""
    highest = max(curve, default=0.0) or 1.0
    step = (width - 4) / max(len(curve) - 1, 1)
    places = ((2 + at * step, height - 2 - value / highest * (height - 4)) for at, value in enumerate(curve))
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def describe_texts(report: HotReport) -> str:
    """Return a sentence about the texts of a report: how many, of which days, and how they are dated."""
    days = report.until if report.since == report.until else f"{report.since} to {report.until}"
    sources = [f"{count:,} {SOURCE_NAMES[source]}" for source, count in report.dated_by.items() if count]
    left_out = (
        f"; {report.left_out:,} without a date of their own do not count, since others of their site state one"
        if report.left_out
        else ""
    )
    dated = f", dated {' and '.join(sources)}" if sources else ""
    return (
        f"{format_count(report.texts, 'text')} of {days}{dated}, "
        f"compared with {format_count(report.compared_periods, f'earlier {report.by}')}{left_out}."
    )


def describe_curve(story: HotStory, report: HotReport) -> str:
    """Return a sentence about the rise of a story: its highest point, and the mean of the other periods."""
    if not story.curve:
        return ""
    peak = max(range(len(story.curve)), key=lambda at: story.curve[at])
    others = [value for at, value in enumerate(story.curve) if at != peak]
    usual = sum(others) / max(len(others), 1)
    step = 1 if report.by == "day" else 7
    day = format_day(date.fromisoformat(report.curve_since).toordinal() + peak * step)
    when = f"on {day}" if report.by == "day" else f"in the week from {day}"
    return (
        f"its words are in {story.curve[peak]:g} of 1,000 texts {when}, and in {usual:.1f} of 1,000 otherwise"
    )


def make_title(story: HotStory) -> str:
    """Return the first words of a story."""
    return ", ".join(story.words[:_WORDS_OF_A_TITLE])


def render_story_feed(report: HotReport, about: str) -> str:
    """Return the stories as an Atom feed; `about` identifies the web."""
    choice = " ".join(filter(None, (report.by, report.site, report.language, report.theme)))
    return render_feed(
        "Hot stories" + (f" of {report.site}" if report.site else ""),
        f"hot {about} {choice}",
        [_make_entry(story, report, f"{about} {choice}") for story in report.stories],
    )


def _make_entry(story: HotStory, report: HotReport, about: str) -> FeedEntry:
    updated = datetime.fromisoformat(story.latest).replace(tzinfo=UTC)
    carried = format_count(story.texts, "text")
    return FeedEntry(
        name_entry("hot story", about, story.id),
        make_title(story),
        updated.timestamp(),
        f"{', '.join(story.words)}: {carried} since {story.began}; {describe_curve(story, report)}.",
        story.pages[0].url if story.pages else "",
        tuple((page.url, page.title) for page in story.pages),
    )
