"""Hosts whose pages need a browser: a fetcher without one hands them to fetchers that have one.

Each fetcher says in its status whether it has a browser, and which groups of hosts it knows to need one. Those groups are divided
among the fetchers with a browser, all others among all fetchers. What is known lives as long as one of the fetchers does;
afterwards the first page of each group shows it again. Without a fetcher that has a browser, nothing is handed over.
"""

from collections.abc import Iterable

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.host_shards import GROUP_BITS, GROUPS, share_of
from gossamer.errors import BadInput
from gossamer.fetch.browser.find_browser import find_browser
from gossamer.store.batch import TaskNote
from gossamer.store.postgres.coordination.leases import Leases, Standing


class BrowserHosts:
    """What one fetcher knows of browsers and of the hosts that need one."""

    def __init__(self) -> None:
        self.renders = _has_browsers([""])
        """Whether this fetcher has a browser, as far as it is seen without starting one."""
        self.groups: frozenset[int] = frozenset()
        """The groups that need one."""
        self._others_have = False
        self._has_failed = False
        """Whether a browser that was found could not be started."""

    def begin_part(self, notes: Iterable[TaskNote]) -> None:
        """Look again for the browsers that the tasks of a part of the crawl want."""
        wishes = [read_spec(note).rendering for note in notes]
        paths = [wish.browser for wish in wishes if wish.render != "never"]
        if paths:
            self.renders = not self._has_failed and _has_browsers(paths)
        else:
            self.groups = frozenset()

    def follow(self, standing: Standing) -> None:
        """Take note of what other fetchers have and know."""
        self._others_have = standing.others_render
        self.groups |= standing.browser_groups

    def hand_over(self, host: str) -> bool:
        """Have another fetcher crawl a host, since its pages need a browser that this one does not have or cannot start.

        Return whether there is one that can.
        """
        self._has_failed, self.renders = self._has_failed or self.renders, False
        if not self._others_have:
            return False
        self.groups |= {share_of(host) >> GROUP_BITS}
        return True


def _has_browsers(paths: Iterable[str]) -> bool:
    try:
        for path in paths:
            find_browser(path)
    except BadInput:
        return False
    return True


def take_missing(leases: Leases, standing: Standing) -> dict[int, int]:
    """Take the groups that a fetcher should have and that are free; return them with their epochs."""
    if not standing.browser_groups:
        return leases.acquire(standing.missing)
    taken = leases.acquire(GROUPS)  # which are free is seen only so
    kept = standing.choose_missing(taken)
    if unwanted := taken.keys() - kept:
        leases.release(unwanted)
    return {group: taken[group] for group in kept}
