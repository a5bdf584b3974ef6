"""`gossamer fetcher`: join the crawl of a web in a database, from any machine."""

import signal
import socket
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import WebPath

_PROGRESS_S = 10.0


@with_run_options()
def fetcher(
    web: WebPath = Path("web"),
    connections: Annotated[
        int,
        typer.Option(
            "--connections", min=1, max=10_000, help="Requests under way at the same time, at most."
        ),
    ] = 64,
    name: Annotated[str, typer.Option("--name", help="Its name. [default: machine and process]")] = "",
    lease: Annotated[
        float,
        typer.Option("--lease", min=1.0, help="Seconds of silence after which others take over its hosts."),
    ] = 20.0,
    alive_file: Annotated[
        Path | None,
        typer.Option("--alive-file", help="Touch this file as long as the fetcher is alive."),
    ] = None,
) -> int:
    """Join the crawl of a web in a database: fetch a part of its hosts until SIGTERM or Ctrl-C.

    The fetcher takes part in all tasks that run, and waits while none does. When it is stopped, it finishes its visits, writes
    them and leaves its hosts to others. When it is killed, others take over after the lease time, and nothing is lost.
    For those who watch it, it touches a file every few seconds, and tells systemd's watchdog, unless it hangs.

    \b
    gossamer fetcher --web 'postgresql://crawl@db.example/web?archive=s3://pages/web'
    gossamer fetcher --web 'postgresql://crawl@db.example/web?archive=/mnt/pages' --connections 200 --name rack3
    """
    from gossamer.cluster.fetcher import Fetcher
    from gossamer.cluster.joined_crawl import make_fetcher_name
    from gossamer.cluster.sign_of_life import show_life
    from gossamer.errors import BadInput
    from gossamer.store.opening.web_archive import WebArchive
    from gossamer.store.opening.web_location import find_database

    address = find_database(web)
    if address is None:
        raise BadInput(
            f"{web} is a directory, which one machine crawls: use `gossamer crawl --processes`, or a web in a database: "
            "--web postgresql://USER@HOST/DATABASE?archive=…"
        )
    machine = socket.gethostname()
    called = name or make_fetcher_name(machine)
    display = _Lines()
    archive = WebArchive(address, web, called, display.say)
    try:
        joined = Fetcher(
            address,
            web,
            called,
            machine,
            connections,
            archive.open_writer,
            display.show,
            lease_s=lease,
            check_archive=archive.check,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: joined.stop("this fetcher was stopped"))
        display.say(f"{called} joins the crawl of {address}")
        with show_life(joined.is_working, alive_file):
            joined.run()
        display.say(f"{called} has left")
    finally:
        archive.close()
    return 0


class _Lines:
    """Prints what happens, one line each, as services do."""

    def __init__(self) -> None:
        self._progress_s = 0.0

    def say(self, text: str) -> None:
        """Print a line."""
        from gossamer.cli.output.terminal_text import clean_text

        sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {clean_text(text, 1_000)}\n")
        sys.stderr.flush()

    def show(self, event: Any) -> None:
        """Print a notice, the end of a task, and now and then the progress."""
        from gossamer.crawl.events import Notice, Progress, TaskEnded

        match event:
            case Notice(text=text):
                self.say(text)
            case TaskEnded(task=task, state=state, reason=reason):
                self.say(f"{task}: {state}, {reason}")
            case Progress(pages_per_s=pages_per_s, hosts=hosts):
                now_s = time.monotonic()
                if now_s - self._progress_s >= _PROGRESS_S:
                    self._progress_s = now_s
                    self.say(f"{pages_per_s:,.1f} pages/s, {sum(hosts.values()):,} hosts")
