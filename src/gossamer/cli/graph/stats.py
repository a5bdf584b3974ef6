"""`gossamer graph stats`: counts of pages and links, degrees, density, depths, components."""

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput


def stats(graph_input: GraphInput) -> Analysis:
    """Count pages and links: by kind and type, degrees, density, depths, components, reciprocity.

    \b
    gossamer graph stats --web docs.web
    gossamer graph stats --web docs.web --links sites --json
    gossamer graph stats --web docs.web --plot degrees.png
    gossamer graph stats --nodes webpages.del --edges hyperlinks.del
    """
    from gossamer.reports.graph.link_counts import analyse_links

    return analyse_links(graph_input)
