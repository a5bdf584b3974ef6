"""`gossamer topics`: what a crawl looks for, and how well it found it."""

import typer

from gossamer.cli.topics_report import report

app = typer.Typer(name="topics", rich_markup_mode=None)

for verb in (report,):
    app.command(verb.__name__)(verb)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Say what a crawl looks for, and see how well it found it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
