"""`gossamer topics train`: learn a topic from examples."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.cli.topics.show import Plot
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from collections.abc import Sequence

    from gossamer.topic_training.example_sources import TopicRequest
    from gossamer.web import Web


def train(
    name: Annotated[str, typer.Argument(help="Name of the topic.")],
    examples: Annotated[
        list[str] | None,
        typer.Option(
            "--examples",
            help="A URL in the web, a file of URLs, text or HTML, or a folder; may be repeated.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", help="The same for pages that are not about the topic. [default: other pages]"
        ),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="A text about the topic, as an example.")] = "",
    query: Annotated[
        str, typer.Option("--query", help="Use the best results of this query as examples.")
    ] = "",
    group: Annotated[
        str, typer.Option("--group", help="With --query: only the answers of this group, by its label.")
    ] = "",
    theme: Annotated[
        str, typer.Option("--theme", help="Use the pages of this theme, by its number or name.")
    ] = "",
    pages: Annotated[
        str, typer.Option("--pages", help="A file of page ids or URLs of the web, one on each line.")
    ] = "",
    judged: Annotated[
        str, typer.Option("--judged", help="Use the judged pages of this `gossamer assess` sample.")
    ] = "",
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="Kind of model: linear, bayes (as in Schmitz 2001), cosine or dictionary (a readable list of words). [default: linear; cosine for one example]",
        ),
    ] = "",
    new: Annotated[bool, typer.Option("--new", help="Create the web if there is none.")] = False,
    plot: Plot = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Learn a topic from examples and store it in the web.

    Without --against, pages of other sites and general texts serve as counterexamples.

    \b
    gossamer topics train haydn --examples http://example.org/haydn --examples texts/ --web docs.web
    gossamer topics train haydn --query 'haydn symphonies' --web docs.web
    gossamer topics train haydn --query haydn --group 'String quartets' --kind dictionary --web docs.web
    gossamer topics train haydn --theme 'chamber music' --web docs.web
    gossamer topics train haydn --judged sample --web docs.web
    gossamer topics train haydn --text 'symphonies and string quartets of Joseph Haydn' --new --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_progress, show_result
    from gossamer.cli.topics.show import make_topic_result
    from gossamer.store.model_folder import check_topic_name, keep_topic_model
    from gossamer.text.topics.train_topic import choose_kind, train_topic
    from gossamer.topic_training.example_sources import TopicRequest, check_request, gather_examples

    check_topic_name(name)
    check_plot(plot)
    wanted = TopicRequest(examples or (), against or (), text, query, judged, group, pages)
    if not theme:
        check_request(wanted)
    with show_progress("Learning") as progress, open_web_for_topic(web, new) as opened:
        wanted = _complete_urls(opened, wanted)
        if theme:
            from gossamer.context.themes.web_themes import list_theme_pages  # needs the extra `search`

            wanted = msgspec.structs.replace(wanted, listed=list_theme_pages(opened.folder, theme).tolist())
        sides = gather_examples(opened, wanted)
        progress(0.5)
        how = kind or choose_kind(len(sides.about))
        model = train_topic(sides.about, sides.against, how, sides.prior, sides.invented)  # type: ignore[arg-type]  # checked there
    path = keep_topic_model(model, web, name)
    result = make_topic_result(
        name, model.card, 20, path, [f"No counterexamples were given: {sides.note}."] if sides.note else []
    )
    if plot is not None:
        write_plot(result, plot, f"The topic {name}")
    show_result(result, None, json, None, plot)
    return 0


def _complete_urls(web: "Web", wanted: "TopicRequest") -> "TopicRequest":
    """Return the request with the URLs that were typed without a scheme in full; names of files stay as they are."""
    from gossamer.cli.typed_url import find_url_or_file

    def complete(names: "Sequence[str]") -> list[str]:
        return [find_url_or_file(web.store, name) for name in names]

    return msgspec.structs.replace(
        wanted, examples=complete(wanted.examples), against=complete(wanted.against)
    )


def open_web_for_topic(folder: Path, new: bool) -> "Web":
    """Open the web; create one only with --new, since a missing web is most often a misspelt path."""
    from gossamer.store.opening.web_name import name_web
    from gossamer.web import exists, open_web

    if not (new or exists(folder)):
        raise BadInput(
            f"there is no web at {name_web(folder)}; --new creates one with this topic, `gossamer crawl` one with pages"
        )
    return open_web(folder, create=new)
