"""Write the page of the comparison of crawlers: how it was made, the figures, a picture, and where another one is better."""

import os
import platform
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

OWN = "Gossamer"
_SAME = 0.05
"""Differences of costs below this are not told: two runs differ by as much."""
_MEGA = 1 << 20
_FEW_PAGES = 300
_SMALL_RUN = "- **A small run**: its figures show that everything works, and little else."


class Result(msgspec.Struct, frozen=True):
    """The figures of one crawler."""

    name: str
    version: str
    missing: int
    repeated: int
    forbidden: int
    soon: int
    gaps: int
    lost: int
    repeated_by_kills: int
    cpu_ms: float
    peak_mb: float
    kept_kb: float


class Method(msgspec.Struct, frozen=True):
    """How the figures were made."""

    hosts: int
    pages: int
    """Of each host."""
    kills: int
    pause_s: float
    crawl_delay_s: float
    arguments: list[str]

    @property
    def total(self) -> int:
        """All pages that a robot may fetch."""
        return self.hosts * self.pages


class Fact(msgspec.Struct, frozen=True):
    """A figure that is better the lower it is."""

    title: str
    read: Callable[[Result], float]
    sentence: str
    """What a crawler does that is better, such as `misses fewer pages`."""
    is_count: bool = True
    """Whether any difference counts, since it is not measured but counted."""


FACTS = (
    Fact("pages missing", lambda one: one.missing, "misses fewer pages"),
    Fact("fetched twice", lambda one: one.repeated, "fetches fewer pages twice"),
    Fact("forbidden requests", lambda one: one.forbidden, "asks for less that robots.txt forbids"),
    Fact("pauses broken, %", lambda one: 100 * one.soon / max(1, one.gaps), "breaks fewer pauses"),
    Fact("pages lost by kills", lambda one: one.lost, "loses fewer pages when it is killed"),
    Fact(
        "repeated by kills", lambda one: one.repeated_by_kills, "fetches fewer pages again when it is killed"
    ),
    Fact("CPU ms a page", lambda one: one.cpu_ms, "needs less processor time for a page", is_count=False),
    Fact("peak MB", lambda one: one.peak_mb, "needs less memory", is_count=False),
    Fact("kept kB", lambda one: one.kept_kb, "takes less room on the disk", is_count=False),
)
COLUMNS: dict[str, Callable[[Result, int], str]] = {
    "crawler": lambda one, _: f"{one.name} {one.version}",
    "pages missing": lambda one, total: f"{one.missing} of {total}",
    "fetched twice": lambda one, _: str(one.repeated),
    "forbidden": lambda one, _: str(one.forbidden),
    "pauses broken": lambda one, _: f"{one.soon} of {one.gaps}",
    "lost by kills": lambda one, total: f"{one.lost} of {total}",
    "repeated by kills": lambda one, _: str(one.repeated_by_kills),
    "CPU ms a page": lambda one, _: f"{one.cpu_ms:.1f}",
    "peak MB": lambda one, _: f"{one.peak_mb:.0f}",
    "kept kB": lambda one, _: f"{one.kept_kb:,.0f}",
}


def format_table(results: Sequence[Result], total: int) -> str:
    """Return the results as a table of Markdown."""
    rows = [list(COLUMNS), ["---"] * len(COLUMNS)]
    rows += [[make(one, total) for make in COLUMNS.values()] for one in results]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def print_results(results: Sequence[Result], total: int) -> None:
    """Print the results as a table."""
    table = Table(*COLUMNS)
    for one in results:
        table.add_row(*(make(one, total) for make in COLUMNS.values()))
    Console(stderr=True, width=180).print(table)


def find_better(results: Sequence[Result]) -> tuple[list[str], list[str]]:
    """Return sentences about what others do better than Gossamer, and what Gossamer does better than others."""
    own = next((one for one in results if one.name == OWN), None)
    worse: list[str] = []
    better: list[str] = []
    for one in results:
        if own is None or one is own:
            continue
        for fact in FACTS:
            theirs, ours = fact.read(one), fact.read(own)
            if theirs == ours or (not fact.is_count and abs(theirs - ours) < _SAME * max(theirs, ours)):
                continue
            figures = f"{min(theirs, ours):,.4g} against {max(theirs, ours):,.4g} ({fact.title})"
            if theirs < ours:
                worse.append(f"- **{one.name}** {fact.sentence} than {OWN}: {figures}.")
            else:
                better.append(f"- {OWN} {fact.sentence} than {one.name}: {figures}.")
    return worse, better


def write_page(path: Path, results: Sequence[Result], left_out: Sequence[str], method: Method) -> None:
    """Write the page, and its picture into the folder pictures/ beside it."""
    picture = path.parent / "pictures" / f"{path.stem}.png"
    picture.parent.mkdir(exist_ok=True)
    plot_results(results, picture)
    worse, better = find_better(results)
    lines = [
        "# Gossamer beside other crawlers",
        "",
        "After reading this page you know how Gossamer and other crawlers did on the same small web, where another one is better, and how to repeat it.",
        "",
        "`make compare` writes this page. Nothing in it is chosen by hand.",
        "",
        f"![The figures as bars]({picture.relative_to(path.parent).as_posix()})",
        "",
        format_table(results, method.total),
        *_describe_method(method),
        "",
        "## Where another one is better",
        "",
        *(worse or ["In nothing that was measured in this run."]),
        "",
        f"## Where {OWN} is better",
        "",
        *(better or ["In nothing that was measured in this run."]),
        "",
        *_describe_limits(left_out),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _describe_method(method: Method) -> list[str]:
    command = shlex.join(["python", "bench/compare_peers.py", *method.arguments])
    memory_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _MEGA
    return [
        "Lower is better in every column.",
        "",
        "## How it was done",
        "",
        f"- **When and where**: {time.strftime('%Y-%m-%d', time.gmtime())}, Python {platform.python_version()}, {os.cpu_count()} processors, "
        f"{memory_mb / 1024:.0f} GB of memory; everything over loopback.",
        f"- **Command**: `{command}`",
        f"- **The web**: {method.hosts} hosts with {method.pages} pages each, {method.total} in all; every tenth is behind a redirect, every "
        "twentieth answers 503 the first time, each page links to one that robots.txt forbids, and one host asks for a Crawl-delay "
        f"of {method.crawl_delay_s:g} s.",
        "- **Whole**: without a pause, to the end: missing pages, pages fetched twice, forbidden requests, processor time, memory, bytes on the disk.",
        f"- **Polite**: a pause of {method.pause_s:g} s between two requests to a host; a request that came sooner has broken it.",
        f"- **Kills**: SIGKILL at random moments, {method.kills} in all, each followed by a new start; then to the end. Pages that are not in "
        "the crawler's own store by then are lost.",
        *([_SMALL_RUN] if method.total < _FEW_PAGES else []),
        "",
        "What each crawler sends and stores is in `bench/compare_peers.py` and `bench/peers/`; versions are in the table. All have the same start pages, one request "
        "at a host at a time, and obey robots.txt as far as they can.",
    ]


def _describe_limits(left_out: Sequence[str]) -> list[str]:
    lines = [
        "## What this does not say",
        "",
        "- Who is faster: the courses are short, and wait for pauses and for what is tried again.",
        "- They do not keep the same: Gossamer keeps every request and response as WARC, links, visits and decisions; Scrapy here a feed with addresses, titles and "
        "texts; Crawlee addresses and titles; wget2 files. So their processor time and bytes on the disk are for different work.",
        "- Crawlee has no pause for a host; that its pauses are broken is how it is meant. Scrapy and wget2 do not read Crawl-delay: what they send sooner to the "
        "host that asks for one counts as broken.",
        "- Processor time includes the start of each program, which weighs more the fewer pages there are.",
        "- wget2 keeps files and no queue, and finds its way again through what it has saved.",
        "- If you know one of the other crawlers better, you may find settings that do better: tell us.",
    ]
    if left_out:
        lines.append(f"- Not part of this run: {', '.join(left_out)}.")
    return lines


def plot_results(results: Sequence[Result], path: Path) -> None:
    """Draw the figures of all crawlers on one page."""
    import matplotlib as mpl

    mpl.use("svg" if path.suffix == ".svg" else "agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 3, figsize=(9, 0.5 + 1.5 * len(results) * 0.6), layout="constrained")
    names = [one.name for one in reversed(results)]
    for axis, fact in zip(axes.flat, FACTS, strict=True):
        values = [fact.read(one) for one in reversed(results)]
        bars = axis.barh(names, values, color="#44617b")
        axis.bar_label(bars, fmt="%.3g", padding=2)
        axis.set_xlim(0, 1.35 * max(*values, 1e-9))
        axis.set_title(fact.title, fontsize=9)
        axis.tick_params(labelleft=True, bottom=False, labelbottom=False)
        for side in ("top", "right", "bottom"):
            axis.spines[side].set_visible(False)
    figure.savefig(path, dpi=110)
    plt.close(figure)
