"""Print the hosts of a crawl, in an order, searched by name."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.status.status_records import HostStatus
    from gossamer.web import Web


def show_hosts(web: "Web", order: str, like: str, task: str, most: int, json: bool) -> int:
    """Print up to `most` hosts; of one task alone if it is named."""
    from gossamer.cli.output.tables import console
    from gossamer.reports.crawls.find_hosts import HostChoice, find_hosts

    now_s = time.time()
    number = web.task(task).number if task else 0
    page = find_hosts(web, HostChoice(number, order, like, per_page=max(most, 1)), now_s)
    if json:
        from gossamer.cli.output.json_lines import print_json

        for host in page.hosts:
            print_json(msgspec.to_builtins(host))
        return 0
    print_hosts(page.hosts, now_s)
    if not page.hosts:
        console.print("There are no such hosts.")
    elif not page.is_last:
        console.print("There are more: a higher number with --hosts lists them.")
    return 0


def print_hosts(hosts: "Sequence[HostStatus]", now_s: float) -> None:
    """Print hosts as a table."""
    from gossamer.cli.output.tables import clean_text, print_table

    rows = [
        [
            *(clean_text(host.name), host.waiting, host.under_way, f"{host.pause_s:g}"),
            *(f"{max(0.0, host.next_turn_s - now_s):.1f}", host.failures),
        ]
        for host in hosts
    ]
    if rows:
        print_table("Hosts", ["host", "waiting", "now", "pause s", "next in s", "failures"], rows)
