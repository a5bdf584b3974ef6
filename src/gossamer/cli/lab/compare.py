"""`gossamer lab compare`: compare crawl orders over the same recorded or synthetic web, without waiting."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays fast
    from gossamer.assess.orders.compare_orders import Ground, Walk
    from gossamer.assess.orders.order_curves import Estimate, OrderComparison, OrderSummary
    from gossamer.cli.lab.compare_worlds import RecordingOptions

_DEFAULT_WORLD = "pages=10000,hosts=100,topic_locality=0.5,languages=en de fr es it"


def compare(
    replay: Annotated[Path | None, typer.Option(help="A recording (WARC) to crawl.", metavar="FILE")] = None,
    world: Annotated[
        str | None,
        typer.Option(
            help="Options of a synthetic world, such as pages=20000,hosts=200; each seed makes another world."
        ),
    ] = None,
    orders: Annotated[
        str,
        typer.Option(help="Orders, such as breadth,parent,topic,topic:hard,oracle or topic+0.3*authority."),
    ] = "breadth,parent,topic,oracle",
    pages: Annotated[
        int, typer.Option(help="Pages to fetch; 0 fetches a quarter of the reachable pages.", min=0)
    ] = 0,
    seeds: Annotated[
        int,
        typer.Option(help="Number of crawls of each order, each with another random seed.", min=1, max=50),
    ] = 1,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="Labels of the recorded pages: a table with URL, class and other columns.", metavar="TSV"
        ),
    ] = None,
    target: Annotated[str, typer.Option(help="The class of the wanted pages.")] = "",
    train: Annotated[
        str,
        typer.Option(
            help="The labelled pages to learn the topic from; they do not count as wanted.",
            metavar="COLUMN=VALUE",
        ),
    ] = "",
    topic: Annotated[str, typer.Option(help="The wanted topic of a synthetic world.")] = "astronomy",
    start: Annotated[
        list[str] | None, typer.Option(help="Start pages; by default those of the recording or world.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Plot recall and harvest rate to this file: .svg or .png.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> int:
    """Compare orders over the same recorded or synthetic web.

    Frontier, orders and politeness are those of a real crawl, on a simulated clock. A link to a page that does not
    exist counts as a failed fetch.

    \b
    gossamer lab compare --world pages=20000,hosts=200 --topic music --seeds 5 --plot orders.svg
    gossamer lab compare --replay webkb.warc.gz --labels labels.tsv --target course --train university=misc
    """
    from gossamer.cli.check_extra import check_extra
    from gossamer.cli.lab.compare_worlds import RecordingOptions
    from gossamer.cli.output.plot_files import PICTURES, check_plot

    check_plot(plot, *PICTURES)
    if replay is None:
        check_extra("lab")
    names = [name for name in orders.replace(" ", "").split(",") if name]
    if replay is not None and world is not None:
        raise BadInput("use --replay or --world, not both")
    if replay is not None:
        if labels is None or not target:
            raise BadInput(
                "--replay needs --labels with the classes of its pages and --target with the wanted class"
            )
        options = RecordingOptions(replay, labels, target, train, tuple(start or ()))
        grounds = _make_recording_grounds(options, seeds)
        title = f"Orders over {replay.name}: {target}"
    else:
        grounds = _make_world_grounds(world or _DEFAULT_WORLD, topic, seeds)
        title = f"Orders over synthetic worlds: {topic}"
    race = run(names, grounds, pages)
    _print_results(race, names, json)
    if plot is not None:
        _draw_plot(race, names, plot, title)
    return 0


def _make_recording_grounds(options: "RecordingOptions", seeds: int) -> Iterator["Ground"]:
    import random

    import msgspec

    from gossamer.cli.lab.compare_worlds import make_recording_ground

    ground = make_recording_ground(options)
    for seed in range(seeds):
        starts = random.Random(seed).sample(ground.seeds, len(ground.seeds)) if seed else list(ground.seeds)
        yield msgspec.structs.replace(ground, seeds=tuple(starts))


def _make_world_grounds(text: str, topic: str, seeds: int) -> Iterator["Ground"]:
    from gossamer.cli.lab.compare_worlds import learn_lab_topic, make_world_ground, parse_world

    first = parse_world(text, 0)
    if topic not in first.options.topics:
        raise BadInput(f"there is no topic {topic!r}: use one of {', '.join(first.options.topics)}")
    model = learn_lab_topic(first, topic)
    for seed in range(seeds):
        yield make_world_ground(parse_world(text, seed), topic, model)


def run(orders: list[str], grounds: Iterator["Ground"], pages: int) -> "OrderComparison":
    """Crawl each ground once with each order."""
    from gossamer.assess.orders.compare_orders import make_compared_guide, walk_order
    from gossamer.assess.orders.order_curves import QUARTER, OrderComparison

    walks: dict[str, list[Walk]] = {order: [] for order in orders}
    wanted, reachable = [], []
    for seed, ground in enumerate(grounds):
        for order in orders:
            make_compared_guide(order, ground, seed)  # report a wrong order before any crawl starts
        whole = walk_order("breadth", ground, 0)
        reached = frozenset(whole.fetched)
        here = ground.wanted & reached
        if not here:
            raise BadInput("no wanted page can be reached from the start pages: use others with --start")
        wanted.append(here)
        reachable.append(len(reached))
        most = pages or len(reached) // QUARTER
        for order in orders:
            walks[order].append(walk_order(order, ground, most, seed))
    return OrderComparison(walks, wanted, reachable)


def _print_results(race: "OrderComparison", orders: list[str], json: bool) -> None:
    from gossamer.assess.orders.order_curves import summarize_order

    found = [summarize_order(race, order) for order in orders]
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in found:
            print_json(one)
        return
    _print_table(found, race)


def _print_table(found: list["OrderSummary"], race: "OrderComparison") -> None:
    from rich.table import Table

    from gossamer.cli.output.tables import console

    pages, wanted = race.reachable[0], len(race.wanted[0])
    console.print(f"{wanted:,} of the {pages:,} reachable pages are wanted.")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("order")
    for name in (
        "pages",
        "failed",
        "harvest",
        "recall",
        "recall, mean of 1st quarter",
        "breadth 0 … oracle 1",
    ):
        table.add_column(name, justify="right")
    for one in found:
        table.add_row(
            one.order,
            f"{one.pages:,}",
            f"{one.failed.mean:,.0f}",
            _format_percent(one.harvest),
            _format_percent(one.recall),
            _format_percent(one.early_recall),
            "" if one.closes is None else _format_number(one.closes),
        )
    console.print(table)


def _format_percent(one: "Estimate") -> str:
    return f"{100 * one.mean:.1f} %" + (f" ± {100 * one.within:.1f}" if one.within else "")


def _format_number(one: "Estimate") -> str:
    return f"{one.mean:.2f}" + (f" ± {one.within:.2f}" if one.within else "")


def _draw_plot(race: "OrderComparison", orders: list[str], path: Path, title: str) -> None:
    from gossamer.assess.orders.order_curves import compute_curves
    from gossamer.cli.output.plot_files import write_picture
    from gossamer.plots.harvest import draw_harvest

    longest = max(len(walk.fetched) for order in orders for walk in race.walks[order])
    drawn = draw_harvest(
        {order: compute_curves(race, order, longest) for order in orders},
        sum(map(len, race.wanted)) / len(race.wanted),
        title,
    )
    write_picture(drawn, path)
