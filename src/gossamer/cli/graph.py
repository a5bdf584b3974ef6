"""`gossamer graph`: what the links of a crawled web say, or those of node and edge files."""

import typer

from gossamer.cli.graph_bowtie import bowtie
from gossamer.cli.graph_clusters import cliques, clusters
from gossamer.cli.graph_communities import communities
from gossamer.cli.graph_compare import compare
from gossamer.cli.graph_cores import cores
from gossamer.cli.graph_export import export
from gossamer.cli.graph_hits import hits
from gossamer.cli.graph_noise import noise
from gossamer.cli.graph_options import choice_verb, graph_verb, writing_verb
from gossamer.cli.graph_pagerank import pagerank
from gossamer.cli.graph_report import report
from gossamer.cli.graph_stats import stats

app = typer.Typer(name="graph", rich_markup_mode=None)

app.command("stats")(graph_verb(stats, with_facts=True))
for verb in (bowtie, pagerank, hits, cliques, clusters, cores, communities, noise):
    app.command(verb.__name__)(graph_verb(verb))
app.command("compare")(choice_verb(compare))
app.command("report")(writing_verb(report, with_facts=True))
app.command("export")(writing_verb(export))


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Say what the links of a web say: its shape, its best pages, its communities."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
