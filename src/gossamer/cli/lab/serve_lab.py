"""Serve a lab world from the command line until Ctrl-C."""

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.cli.output.json_lines import print_json
from gossamer.cli.output.terminal_text import clean_lines, clean_text, print_error
from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput
from gossamer.lab.recordings.replay_warc import Recording
from gossamer.lab.server.answer import LocatedWorld
from gossamer.lab.server.request_log import LogFile, RequestLog
from gossamer.lab.server.serve_world import LabServer, serve

_SEEDS_SHOWN = 3


class ServeOptions(msgspec.Struct, frozen=True):
    """How to serve a world, and its description for the terminal."""

    what: str
    port: int
    processes: int
    log_to: Path | None
    json: bool
    ends_s: float | None
    proxy: bool = False
    """The world answers as a proxy, for URLs of other machines."""


def serve_until_stopped(world: LocatedWorld, options: ServeOptions) -> None:
    """Serve until a signal or the time limit, then print the number of requests."""
    log_file = LogFile(options.log_to) if options.log_to is not None else None
    log = RequestLog(keep=False, sink=log_file)
    try:
        asyncio.run(_serve(world, options, log))
    finally:
        if log_file is not None:
            log_file.close()
    if options.json:
        print_json({"requests": len(log), "hosts_asked": len(log.counts())})
    else:
        _print(f"Served {format_count(len(log), 'request')} to {format_count(len(log.counts()), 'host')}.")


async def _serve(world: LocatedWorld, options: ServeOptions, log: RequestLog) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    async with serve(world, options.port, options.processes, log=log) as running:
        _announce(running, options)
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), options.ends_s)


def _announce(running: LabServer, options: ServeOptions) -> None:
    if options.json:
        hosts, host_map = running.world.hosts(), running.host_map
        print_json({"port": running.port, "seeds": running.seeds, "hosts": hosts, "host_map": host_map})
        return
    seeds = running.seeds
    proxy = f"--proxy http://127.0.0.1:{running.port} " if options.proxy else ""
    _print(f"Serving {options.what} on port {running.port}. Press Ctrl-C to stop.")
    _print("Start at:", *seeds[:_SEEDS_SHOWN])
    if len(seeds) > _SEEDS_SHOWN:
        _print(f"  … and {len(seeds) - _SEEDS_SHOWN:,} more (--json lists them all)")
    if running.host_map and not options.proxy and not seeds[0].startswith("http://127."):
        name, address = next(iter(running.host_map.items()))
        proxy = f"--resolve {name}:{running.port}:{address} "
    _print("Try:", f"curl -i {proxy}{seeds[0]}")


def _print(*lines: str) -> None:
    print(clean_lines("\n  ".join(lines)), flush=True)  # noqa: T201 - output of the program


def open_recording(path: Path, by_clock: bool) -> Recording:
    """Open a WARC file, with a progress bar on a terminal and a warning if it is truncated."""
    if not sys.stderr.isatty():
        recording = Recording(path, by_clock)
    else:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as display:
            bar = display.add_task(f"Reading {escape(clean_text(path.name))}")
            recording = Recording(
                path, by_clock, lambda read, size: display.update(bar, completed=read, total=size)
            )
    if recording.warning:
        print_error(recording.warning)
    return recording


def write_hosts(world: LocatedWorld, path: Path) -> None:
    """Write each host with its address, in the format of /etc/hosts."""
    lines = "".join(f"{address}\t{name}\n" for name, address in world.host_map().items())
    if str(path) == "-":
        sys.stdout.write(lines)
        sys.stdout.flush()
        return
    try:
        path.write_text(lines, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"Cannot write the hosts to {path}: {error.strerror}.") from None
