"""`gossamer status`: what the crawls of a web do at this moment, wherever they run."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.status.status_records import CrawlStatus, Forecast, HostStatus
    from gossamer.web import Web

HostSorting = Literal["waiting", "pause", "failures", "turn", "name"]
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
    hosts_by: Annotated[
        HostSorting | None,
        typer.Option("--hosts-by", help="List only hosts, in this order, also those at which nothing waits."),
    ] = None,
    hosts_like: Annotated[
        str, typer.Option("--hosts-like", metavar="TEXT", help="List only hosts whose names contain this.")
    ] = "",
    list_: Annotated[
        str,
        typer.Option(
            "--list",
            metavar="COUNT",
            help="List the documents behind a count of a task: checked, queued, seen, downloaded, failed, failed:404, "
            "refused:robots, filtered:scope, waiting, waiting:HOST, …",
        ),
    ] = "",
    task: Annotated[
        str,
        typer.Option(
            "--task", help="With --list or hosts: name or number of the task. [default: the newest, or all]"
        ),
    ] = "",
    most: Annotated[
        int, typer.Option("--most", min=1, max=100_000, help="With --list: how many documents.")
    ] = 100,
    after: Annotated[
        int,
        typer.Option("--after", min=0, help="With --list: go on where the list before ended, as it says."),
    ] = 0,
) -> int:
    """Show what a crawl does at this moment, in another process or on other machines.

    It lists the tasks with their counts and the time left, the pages that are fetched now, the hosts at which most requests wait, and why
    no page comes if none does.

    \b
    gossamer status --web docs.web
    gossamer status --web docs.web --follow
    gossamer status --web docs.web --json
    gossamer status --web docs.web --list failed:404
    gossamer status --web docs.web --hosts 20 --hosts-by failures
    """
    from gossamer.crawl.status.read_status import list_hosts, read_status
    from gossamer.web import open_to_read

    _check_use(list_, bool(hosts_by or hosts_like), task, follow)
    with open_to_read(web) as opened:
        if list_:
            from gossamer.cli.console.show_documents import show_documents

            return show_documents(opened, list_, task, most, after, json)
        if hosts_by or hosts_like:
            from gossamer.cli.console.show_hosts import show_hosts

            return show_hosts(opened, hosts_by or "waiting", hosts_like, task, hosts, json)
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


def _check_use(count: str, only_hosts: bool, task: str, follow: bool) -> None:
    """Raise BadInput if options do not go together."""
    from gossamer.errors import BadInput

    if count and only_hosts:
        raise BadInput(
            "--list lists documents, and --hosts-by and --hosts-like list hosts: choose one of them"
        )
    if follow and (count or only_hosts):
        raise BadInput("--follow repeats the status; a list is shown once: leave --follow out")
    if task and not (count or only_hosts):
        raise BadInput("--task needs --list, --hosts-by or --hosts-like: the status shows all tasks")


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
    _print_limits(found)
    if found.shards:
        _print_visits(found)
    if hosts and found.running:
        from gossamer.cli.console.show_hosts import print_hosts

        print_hosts([host for host in hosts if host.waiting or host.under_way], found.when_s)
    notices = sorted(notice for shard in found.shards for notice in shard.notices)
    for when_s, text in notices[-_NOTICES_SHOWN:]:
        console.print(f"{_format_time(when_s)}  {clean_text(text)}")


def _print_limits(found: "CrawlStatus") -> None:
    """Print how many connections each process has and why, and which bandwidth limits hold."""
    from gossamer.cli.output.tables import clean_text, console

    for shard in found.shards:
        who = f"process {clean_text(shard.name)}: " if shard.name else ""
        if shard.connections_why:
            console.print(f"{who}{clean_text(shard.connections_why, 200)}", markup=False, highlight=False)
    names = {task.note.number: task.note.name for task in found.tasks}
    limits = {
        (names.get(number, ""), text) for shard in found.shards for number, text in shard.bandwidth.items()
    }
    for name, text in sorted(limits):
        if text:
            console.print(
                f"{clean_text(name)}: bandwidth {clean_text(text, 200)}", markup=False, highlight=False
            )


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


def _format_time(when_s: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(when_s))
