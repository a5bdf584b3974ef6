"""`gossamer graph noise`: mirrors, misconfigured servers and link farms."""

from gossamer.reports.analysis import Analysis
from gossamer.reports.graph.graph_input import GraphInput


def noise(graph_input: GraphInput) -> Analysis:
    """Find link noise: mirrors on many hosts, servers that answer for many hosts, hidden links between hosts.

    The option --without-noise of all verbs leaves these pages out.

    \b
    gossamer graph noise --web docs.web
    gossamer graph clusters --web docs.web --links sites --without-noise
    """
    from gossamer.reports.graph.noise_structures import analyse_noise

    return analyse_noise(graph_input)
