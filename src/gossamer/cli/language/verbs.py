"""`gossamer language`: which language a text is in, how well that is known, and how a crawl makes it better."""

import typer

from gossamer.cli.language.detect import detect
from gossamer.cli.language.evaluate import evaluate
from gossamer.cli.language.train import train

app = typer.Typer(name="language", rich_markup_mode=None)

for verb in (detect, train, evaluate):
    app.command(verb.__name__)(verb)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Say which language texts are in, and learn it from a crawl."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
