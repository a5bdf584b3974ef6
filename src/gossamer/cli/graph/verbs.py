"""`gossamer graph`: analyse the links of a crawled web, or of node and edge files."""

import typer

from gossamer.cli.graph.bowtie import bowtie
from gossamer.cli.graph.clusters import cliques, clusters
from gossamer.cli.graph.communities import communities
from gossamer.cli.graph.compare import compare
from gossamer.cli.graph.cores import cores
from gossamer.cli.graph.export import export
from gossamer.cli.graph.graph_options import make_graph_verb, make_selection_verb, make_writing_verb
from gossamer.cli.graph.hits import hits
from gossamer.cli.graph.noise import noise
from gossamer.cli.graph.pagerank import pagerank
from gossamer.cli.graph.path import path
from gossamer.cli.graph.report import report
from gossamer.cli.graph.stats import stats
from gossamer.cli.graph.tree import tree

app = typer.Typer(name="graph", rich_markup_mode=None)

app.command("stats")(make_graph_verb(stats, with_facts=True))
for verb in (bowtie, pagerank, hits, noise):
    app.command(verb.__name__)(make_graph_verb(verb))
for verb in (cliques, clusters, cores, communities):
    app.command(verb.__name__)(make_graph_verb(verb, content=True))
app.command("path")(path)
app.command("tree")(tree)
app.command("compare")(make_selection_verb(compare))
app.command("report")(make_writing_verb(report, with_facts=True))
app.command("export")(make_writing_verb(export))


@app.callback(invoke_without_command=True)
def show_help(context: typer.Context) -> None:
    """Analyse the links of a web: its shape, its best pages, its communities."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
