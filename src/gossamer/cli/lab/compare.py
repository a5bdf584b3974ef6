"""`gossamer lab compare`: which order finds what is wanted soonest, over the same web and without waiting."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.assess.orders.compare_orders import Ground, Walked
    from gossamer.assess.orders.order_curves import Estimate, Race, Shown
    from gossamer.cli.lab.compare_worlds import RecordingOptions

_DEFAULT_WORLD = "pages=10000,hosts=100,topic_locality=0.5,languages=en de fr es it"


def compare(
    replay: Annotated[
        Path | None, typer.Option(help="A recording (WARC) to walk over.", metavar="FILE")
    ] = None,
    world: Annotated[
        str | None,
        typer.Option(help="Options of worlds of the lab, as pages=20000,hosts=200; each seed is another."),
    ] = None,
    orders: Annotated[
        str,
        typer.Option(help="Orders, such as breadth,parent,topic,topic:hard,oracle or topic+0.3*authority."),
    ] = "breadth,parent,topic,oracle",
    pages: Annotated[
        int, typer.Option(help="Pages to fetch; 0: a quarter of what can be reached.", min=0)
    ] = 0,
    seeds: Annotated[
        int, typer.Option(help="How many walks each order makes, with other draws.", min=1, max=50)
    ] = 1,
    labels: Annotated[
        Path | None,
        typer.Option(help="What recorded pages are: a table of URL, class and more columns.", metavar="TSV"),
    ] = None,
    target: Annotated[str, typer.Option(help="The class of pages that is wanted.")] = "",
    train: Annotated[
        str,
        typer.Option(
            help="Which labelled pages the topic is learnt from; these are not wanted.",
            metavar="COLUMN=VALUE",
        ),
    ] = "",
    topic: Annotated[str, typer.Option(help="The topic of the lab's worlds that is wanted.")] = "astronomy",
    start: Annotated[
        list[str] | None, typer.Option(help="Start pages; else those of the recording or world.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw recall and harvest into this file: .svg or .png.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for machines.")] = False,
) -> int:
    """Compare orders over the same recorded or synthetic web.

    Frontier, orders and politeness are the real ones, by a clock that jumps. A link to a page that is not there is a
    failed fetch.

    \b
    gossamer lab compare --world pages=20000,hosts=200 --topic music --seeds 5 --plot orders.svg
    gossamer lab compare --replay webkb.warc.gz --labels labels.tsv --target course --train university=misc
    """
    from gossamer.cli.lab.compare_worlds import RecordingOptions
    from gossamer.cli.output.plot_files import PICTURES, check_plot

    check_plot(plot, *PICTURES)
    names = [name for name in orders.replace(" ", "").split(",") if name]
    if replay is not None and world is not None:
        raise BadInput("compare over --replay or over --world, not over both")
    if replay is not None:
        if labels is None or not target:
            raise BadInput(
                "a recording needs --labels with what its pages are, and --target with the class wanted"
            )
        told = RecordingOptions(replay, labels, target, train, tuple(start or ()))
        grounds = _replayed(told, seeds)
        title = f"Orders over {replay.name}: {target}"
    else:
        grounds = _worlds(world or _DEFAULT_WORLD, topic, seeds)
        title = f"Orders over worlds of the lab: {topic}"
    race = run(names, grounds, pages)
    _tell(race, names, json)
    if plot is not None:
        _draw(race, names, plot, title)
    return 0


def _replayed(told: "RecordingOptions", seeds: int) -> Iterator["Ground"]:
    import random

    import msgspec

    from gossamer.cli.lab.compare_worlds import replay_ground

    ground = replay_ground(told)
    for seed in range(seeds):
        starts = random.Random(seed).sample(ground.seeds, len(ground.seeds)) if seed else list(ground.seeds)
        yield msgspec.structs.replace(ground, seeds=tuple(starts))


def _worlds(told: str, topic: str, seeds: int) -> Iterator["Ground"]:
    from gossamer.cli.lab.compare_worlds import lab_topic, world_from, world_ground

    first = world_from(told, 0)
    if topic not in first.options.topics:
        raise BadInput(f"worlds have no topic {topic!r}: name one of {', '.join(first.options.topics)}")
    model = lab_topic(first, topic)
    for seed in range(seeds):
        yield world_ground(world_from(told, seed), topic, model)


def run(orders: list[str], grounds: Iterator["Ground"], pages: int) -> "Race":
    """Let each order walk over each ground."""
    from gossamer.assess.orders.compare_orders import guide_called, walked
    from gossamer.assess.orders.order_curves import QUARTER, Race

    walks: dict[str, list[Walked]] = {order: [] for order in orders}
    wanted, reachable = [], []
    for seed, ground in enumerate(grounds):
        for order in orders:
            guide_called(order, ground, seed)  # what is wrong with an order is said before anything is walked
        whole = walked("breadth", ground, 0)
        reached = frozenset(whole.fetched)
        here = ground.wanted & reached
        if not here:
            raise BadInput(
                "none of the wanted pages can be reached from the start pages: name others with --start"
            )
        wanted.append(here)
        reachable.append(len(reached))
        most = pages or len(reached) // QUARTER
        for order in orders:
            walks[order].append(walked(order, ground, most, seed))
    return Race(walks, wanted, reachable)


def _tell(race: "Race", orders: list[str], json: bool) -> None:
    from gossamer.assess.orders.order_curves import shown

    found = [shown(race, order) for order in orders]
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in found:
            print_json(one)
        return
    _table(found, race)


def _table(found: list["Shown"], race: "Race") -> None:
    from rich.table import Table

    from gossamer.cli.output.tables import console

    pages, wanted = race.reachable[0], len(race.wanted[0])
    console.print(f"{wanted:,} of the {pages:,} pages that can be reached are wanted.")
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
            _percent(one.harvest),
            _percent(one.recall),
            _percent(one.early_recall),
            "" if one.closes is None else _plain(one.closes),
        )
    console.print(table)


def _percent(one: "Estimate") -> str:
    return f"{100 * one.mean:.1f} %" + (f" ± {100 * one.within:.1f}" if one.within else "")


def _plain(one: "Estimate") -> str:
    return f"{one.mean:.2f}" + (f" ± {one.within:.2f}" if one.within else "")


def _draw(race: "Race", orders: list[str], path: Path, title: str) -> None:
    from gossamer.assess.orders.order_curves import curves
    from gossamer.cli.output.plot_files import write_picture
    from gossamer.plots.harvest import draw_harvest

    longest = max(len(walk.fetched) for order in orders for walk in race.walks[order])
    drawn = draw_harvest(
        {order: curves(race, order, longest) for order in orders},
        sum(map(len, race.wanted)) / len(race.wanted),
        title,
    )
    write_picture(drawn, path)
