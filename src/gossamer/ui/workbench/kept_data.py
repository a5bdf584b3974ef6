"""What the pages of the workbench keep between requests: the links of the web, trees of hosts, and reports under way."""

import threading

from starlette.requests import Request

from gossamer.reports.graph.load_page_graph import load_page_graph
from gossamer.reports.graph.page_paths import PageGraph
from gossamer.reports.url_tree import Folder, build_tree
from gossamer.store.links.url_states import HostFact, read_hosts, read_url_states
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench.recent_values import RecentValues
from gossamer.ui.workbench.report_jobs import ReportJobs
from gossamer.web import Web

_GRAPH_S, _TREE_S, _HOSTS_S = 60.0, 60.0, 20.0
_MOST_TREES = 4
_creating = threading.Lock()


class KeptData:
    """The data of one application."""

    def __init__(self, jobs: ReportJobs) -> None:
        self.jobs = jobs
        self._graph = RecentValues[PageGraph](1, _GRAPH_S)
        self._trees = RecentValues[Folder](_MOST_TREES, _TREE_S)
        self._hosts = RecentValues[list[HostFact]](1, _HOSTS_S)

    def get_graph(self, web: Web) -> PageGraph:
        """Return the links among all known pages, as they were at most a minute before the last visit."""
        last = web.store.last_visit()
        # Without further visits, links do not change.
        return self._graph.get("", lambda: load_page_graph(web.store), lambda kept: kept.last_visit == last)

    def get_tree(self, web: Web, host: str) -> Folder:
        """Return the tree of a host, as it was at most a minute ago."""
        return self._trees.get(host, lambda: build_tree(read_url_states(web.store, host)))

    def get_hosts(self, web: Web) -> list[HostFact]:
        """Return the hosts of the web, as they were some seconds ago."""
        return self._hosts.get("", lambda: read_hosts(web.store))


def get_kept_data(request: Request) -> KeptData:
    """Return the data of the application that handles a request."""
    state = request.app.state
    with _creating:
        if not hasattr(state, "workbench"):
            state.workbench = KeptData(ReportJobs(get_context(request).folder))
        kept: KeptData = state.workbench
    return kept
