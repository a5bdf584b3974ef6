"""`gossamer graph bowtie`: the regions of the bow-tie and their sizes."""

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput


def bowtie(graph_input: GraphInput) -> Analysis:
    """Sort pages into core, in, out, tubes, tendrils and disconnected: the bow-tie of a web.

    \b
    gossamer graph bowtie --web docs.web
    gossamer graph bowtie --web docs.web --unit hosts
    gossamer graph bowtie --web docs.web --out regions.parquet
    gossamer graph bowtie --web docs.web --plot bowtie.svg
    """
    from gossamer.reports.graph.bowtie_regions import analyse_bowtie

    return analyse_bowtie(graph_input)
