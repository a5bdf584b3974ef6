"""`gossamer topics train`: what to look for, from examples."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.cli.topics.show import Plot
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.web import Web


def train(
    name: Annotated[str, typer.Argument(help="What the topic is to be called.")],
    examples: Annotated[
        list[str] | None,
        typer.Option(
            "--examples",
            help="A page of the web (URL), a file of such, of text or of HTML, a folder; several may be.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="The same for pages that are not about it; else others are drawn."),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="A text about it, as an example.")] = "",
    query: Annotated[str, typer.Option("--query", help="The pages that this finds best are examples.")] = "",
    judged: Annotated[
        str, typer.Option("--judged", help="Pages of this sample, as they were judged by gossamer assess.")
    ] = "",
    kind: Annotated[str, typer.Option("--kind", help="linear, bayes (as in the seed) or cosine.")] = "linear",
    new: Annotated[bool, typer.Option("--new", help="Begin a web for it where there is none yet.")] = False,
    plot: Plot = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Learn a topic from examples, and keep it in the web by this name.

    Without anything against it, pages of other sites and texts of general words stand against it.

    \b
    gossamer topics train haydn --examples http://example.org/haydn --examples texts/ --web docs.web
    gossamer topics train haydn --query 'haydn symphonies' --web docs.web
    gossamer topics train haydn --judged sample --web docs.web
    gossamer topics train haydn --text 'symphonies and string quartets of Joseph Haydn' --new --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_progress, show_result
    from gossamer.cli.topics.show import topic_told
    from gossamer.store.model_folder import check_topic_name, keep_topic_model
    from gossamer.text.topics.train_topic import train_topic
    from gossamer.topic_training.example_sources import TopicRequest, check_request, gather_examples

    check_topic_name(name)
    check_plot(plot)
    wanted = TopicRequest(examples or (), against or (), text, query, judged)
    check_request(wanted)
    with show_progress("Learning") as progress, _opened(web, new) as opened:
        sides = gather_examples(opened, wanted)
        progress(0.5)
        model = train_topic(sides.about, sides.against, kind, sides.prior)  # type: ignore[arg-type]  # checked there
    path = keep_topic_model(model, web, name)
    told = topic_told(
        name, model.card, 20, path, [f"Nothing was named against it: {sides.note}."] if sides.note else []
    )
    if plot is not None:
        write_plot(told, plot, f"The topic {name}")
    show_result(told, None, json, None, plot)
    return 0


def _opened(folder: Path, new: bool) -> "Web":
    """Open the web that is to know a topic; one that is not there is most often misspelt, and is not made unasked."""
    from gossamer.web import STATE, open_web

    if not (new or (folder / STATE).exists()):
        raise BadInput(
            f"there is no web at {folder}; --new begins one that knows this topic, `gossamer crawl` one with pages"
        )
    return open_web(folder, create=new)
