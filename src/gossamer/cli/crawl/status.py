"""`gossamer status`: what the crawls of a web do at this moment, wherever they run."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.status.status_records import CrawlStatus, Forecast, HostStatus
    from gossamer.web import Web

_FOLLOW_S = 1.0
_VISITS_SHOWN = 10
_NOTICES_SHOWN = 3


def status(
    web: WebPath = Path("web"),
    json: Json = False,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", help="Show it again every second, until the crawl ends or you press Ctrl-C."
        ),
    ] = False,
    hosts: Annotated[int, typer.Option("--hosts", min=0, max=1000, help="How many hosts to list.")] = 5,
) -> int:
    """Show what a crawl does at this moment, in another process or on other machines.

    It lists the tasks with their counts and the time left, the pages that are fetched now, the hosts at which most requests wait, and why
    no page comes if none does.

    \b
    gossamer status --web docs.web
    gossamer status --web docs.web --follow
    gossamer status --web docs.web --json
    """
    from gossamer.crawl.status.read_status import list_hosts, read_status
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        while True:
            found = read_status(opened.store, opened.folder, time.time())
            listed = list_hosts(opened.store, opened.folder, found.when_s, most=hosts) if hosts else []
            if json:
                _print_json(found, listed)
            else:
                _print_status(opened, found, listed, follow)
            if not follow or not found.running:
                return 0
            time.sleep(_FOLLOW_S)


def _print_json(found: "CrawlStatus", hosts: list["HostStatus"]) -> None:
    import msgspec

    from gossamer.cli.output.json_lines import print_json

    record = msgspec.to_builtins(found)
    for task in record["tasks"]:
        del task["note"]["spec"]  # `gossamer tasks --json` has it, without passwords
    print_json(record | {"hosts": msgspec.to_builtins(hosts)})


def _print_status(web: "Web", found: "CrawlStatus", hosts: list["HostStatus"], follow: bool) -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line

    if follow and console.is_terminal:
        console.clear()
    if not found.tasks:
        console.print(f"The web at {web.name} has no tasks.")
        return
    _print_tasks(found)
    if found.stall:
        print_line((clean_text(found.stall), "yellow"))
    if found.shards:
        _print_visits(found)
    if hosts and found.running:
        _print_hosts(hosts, found.when_s)
    notices = sorted(notice for shard in found.shards for notice in shard.notices)
    for when_s, text in notices[-_NOTICES_SHOWN:]:
        console.print(f"{_format_time(when_s)}  {clean_text(text)}")


def _print_tasks(found: "CrawlStatus") -> None:
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.cli.output.wording import format_bytes

    columns = [
        "",
        "task",
        "state",
        "pages",
        "waiting",
        "now",
        "failed",
        "refused",
        "pages/s",
        "bytes/s",
        "left",
        "reason",
    ]
    rows = []
    for task in found.tasks:
        note = task.note
        is_left = note.state == "running" and not task.active
        state = "left" if is_left else note.state
        reason = "its process ended; `gossamer resume` continues it" if is_left else note.reason
        if task.forecast is not None:
            reason = f"about {task.forecast.pages:,} pages by {task.forecast.why}"
        rows.append(
            [
                *(note.number, clean_text(note.name), state, note.counts.get("downloaded", 0), task.waiting),
                *(task.under_way, task.failed, task.refused, round(task.pages_per_s, 1)),
                *(format_bytes(task.bytes_per_s), _format_left(task.forecast), clean_text(reason)),
            ]
        )
    print_table("", columns, rows)


def _format_left(forecast: "Forecast | None") -> str:
    from gossamer.cli.output.wording import format_duration

    if forecast is None:
        return ""
    least, most = format_duration(forecast.least_s), format_duration(forecast.most_s)
    return f"{format_duration(forecast.left_s)} ({least} to {most})"


def _print_visits(found: "CrawlStatus") -> None:
    from gossamer.cli.output.tables import clean_text, print_table

    visits = sorted((one for shard in found.shards for one in shard.visits), key=lambda one: one.since_s)
    rows = [
        [f"{max(0.0, found.when_s - one.since_s):.1f}", one.step, clean_text(one.url), clean_text(one.shard)]
        for one in visits[:_VISITS_SHOWN]
    ]
    if rows:
        more = f" (the oldest of {len(visits):,})" if len(visits) > len(rows) else ""
        print_table(f"Fetched now{more}", ["for s", "step", "page", "process"], rows)


def _print_hosts(hosts: list["HostStatus"], now_s: float) -> None:
    from gossamer.cli.output.tables import clean_text, print_table

    rows = [
        [
            *(clean_text(host.name), host.waiting, host.under_way, f"{host.pause_s:g}"),
            *(f"{max(0.0, host.next_turn_s - now_s):.1f}", host.failures),
        ]
        for host in hosts
        if host.waiting or host.under_way
    ]
    if rows:
        print_table("Hosts", ["host", "waiting", "now", "pause s", "next in s", "failures"], rows)


def _format_time(when_s: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(when_s))
