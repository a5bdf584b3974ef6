"""The hosts of a crawl in an order, searched by name, page by page."""

import msgspec

from gossamer.crawl.status.read_status import list_hosts
from gossamer.crawl.status.status_records import HostStatus
from gossamer.store.batch import HostOrder
from gossamer.web import Web

ORDERS = {
    "waiting": "waiting",
    "pause": "pause",
    "failures": "failures",
    "turn": "next turn",
    "name": "host",
}
"""By name: the column that is sorted by."""
_STORE_ORDERS: dict[str, HostOrder] = {
    "waiting": "waiting",
    "pause": "waiting",
    "failures": "failures",
    "turn": "next turn",
    "name": "name",
}
PER_PAGE = 100
MOST_HOSTS = 200_000
"""More are not sorted or searched."""


class HostPage(msgspec.Struct, frozen=True):
    """Some hosts in an order, and how many there are."""

    hosts: list[HostStatus]
    found: int
    """How many match, as far as hosts were read: all of them if one was searched for."""
    is_last: bool


class HostChoice(msgspec.Struct, frozen=True):
    """Which hosts to show."""

    task: int = 0
    order: str = "waiting"
    name: str = ""
    """Only hosts whose names contain this."""
    page: int = 1
    per_page: int = PER_PAGE


def find_hosts(web: Web, choice: HostChoice, now_s: float) -> HostPage:
    """Return a page of the hosts that were chosen."""
    needs_all = bool(choice.name) or choice.order == "pause"
    first = (choice.page - 1) * choice.per_page
    end = first + choice.per_page
    most = MOST_HOSTS if needs_all else min(end + 1, MOST_HOSTS)
    hosts = list_hosts(web.store, web.folder, now_s, _STORE_ORDERS[choice.order], most, choice.task or None)
    if choice.name:
        hosts = [host for host in hosts if choice.name.lower() in host.name]
    if choice.order == "pause":
        hosts.sort(key=lambda host: (-host.pause_s, -host.waiting, host.name))
    return HostPage(hosts[first:end], len(hosts), len(hosts) <= end)
