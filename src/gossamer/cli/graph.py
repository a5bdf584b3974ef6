"""`gossamer graph`: what the links of a crawled web say, or those of node and edge files."""

import typer

from gossamer.cli.graph_bowtie import bowtie
from gossamer.cli.graph_compare import compare
from gossamer.cli.graph_hits import hits
from gossamer.cli.graph_options import choice_verb, graph_verb
from gossamer.cli.graph_pagerank import pagerank
from gossamer.cli.graph_stats import stats

app = typer.Typer(name="graph", rich_markup_mode=None)

for verb in (stats, bowtie, pagerank, hits):
    app.command(verb.__name__)(graph_verb(verb))
app.command("compare")(choice_verb(compare))


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Say what the links of a web say: its shape, its best pages, its communities."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
