"""The group of verbs `gossamer topics`."""

import typer

from gossamer.cli.topics.carry import export_topic, import_topic
from gossamer.cli.topics.new_pages import new_pages
from gossamer.cli.topics.report import report
from gossamer.cli.topics.score import score
from gossamer.cli.topics.show import show
from gossamer.cli.topics.train import train

app = typer.Typer(name="topics", rich_markup_mode=None)

for verb in (train, show, score, report):
    app.command(verb.__name__)(verb)
app.command("new")(new_pages)
app.command("export")(export_topic)
app.command("import")(import_topic)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Train topics from examples, score pages, list new ones, carry topics to other webs, and report how well a crawl found a topic."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
