"""The group of verbs `gossamer language`."""

import typer

from gossamer.cli.language.detect import detect
from gossamer.cli.language.evaluate import evaluate
from gossamer.cli.language.train import train

app = typer.Typer(name="language", rich_markup_mode=None)

for verb in (detect, train, evaluate):
    app.command(verb.__name__)(verb)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Detect the language of texts, and train the detector from a crawl."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
