"""`gossamer run`: run a schedule for one or many webs, for years."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.schedule.schedule_records import Schedule


@with_run_options(crawls=False)
def run(
    context: typer.Context,
    schedule: Annotated[Path, typer.Argument(help="The schedule (TOML).", metavar="[SCHEDULE.toml]")] = Path(
        "schedule.toml"
    ),
    check: Annotated[
        bool, typer.Option("--check", help="Check the schedule, say when each entry is due next, and end.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the journal: what ran, failed and was missed, and why.")
    ] = False,
    once: Annotated[
        bool,
        typer.Option(
            "--once", help="Run what is due since the last time, tell what is new, and end: for cron."
        ),
    ] = False,
    now: Annotated[
        str,
        typer.Option("--now", metavar="ENTRY", help="Ask the running process to run an entry now, and end."),
    ] = "",
    alive_file: Annotated[
        Path | None, typer.Option("--alive-file", help="Touch this file as long as the process is alive.")
    ] = None,
    json: Json = False,
) -> int:
    """Run tasks, recrawls, link checks and searches by a schedule, and tell what is new.

    One process for one or many webs: it starts what is due as processes of its own, starts again what dies, and keeps a journal,
    so that each run that was due happens once, or is told as missed and why. SIGTERM and Ctrl-C stop it cleanly.

    \b
    gossamer run --check
    gossamer run schedule.toml
    gossamer run schedule.toml --list --json
    gossamer run --now weekly
    */10 * * * *  gossamer run /etc/gossamer/schedule.toml --once
    """
    import time

    from gossamer.errors import BadInput
    from gossamer.schedule.schedule_file import read_schedule

    verbs = set(context.find_root().command.commands)  # type: ignore[attr-defined]  # the group of all verbs
    if sum((check, list_, once, bool(now))) > 1:
        raise BadInput("--check, --list, --once and --now exclude each other: give one of them")
    if check or list_:
        from gossamer.cli.run.show_schedule import show_due, show_journal

        if list_:
            return show_journal(schedule, time.time(), json)
        check_verbs(read_schedule(schedule, time.time()), verbs)
        return show_due(schedule, time.time(), json)
    if now:
        from gossamer.schedule.read_state import ask_for_run

        ask_for_run(schedule, now, "the command line", time.time())
        return 0
    return _run(schedule, once, alive_file, verbs)


def _run(path: Path, once: bool, alive_file: Path | None, verbs: set[str]) -> int:
    import time

    from gossamer.cli.run.prepare_logging import prepare_logging
    from gossamer.cli.run.run_loop import RunLoop, attach_signals, lock_folder
    from gossamer.cluster.sign_of_life import show_life, tell_systemd
    from gossamer.schedule.journal.journal import Journal
    from gossamer.schedule.read_state import locate_folder
    from gossamer.schedule.schedule_file import read_schedule

    schedule = read_schedule(path, time.time())
    check_verbs(schedule, verbs)
    folder = locate_folder(path)
    prepare_logging()
    with lock_folder(folder):
        journal = Journal(folder, create=True)
        try:
            loop = RunLoop(schedule, path.resolve(), folder, journal)
            attach_signals(loop)
            with show_life(loop.is_working, alive_file):
                tell_systemd("READY=1")
                code = loop.run(once)
                tell_systemd("STOPPING=1")
            return code
        finally:
            journal.close()


def check_verbs(schedule: "Schedule", known: set[str]) -> None:
    """Raise BadInput if an entry runs a verb that this version does not have."""
    from gossamer.errors import BadInput

    for entry in schedule.entries.values():
        if entry.do not in known:
            raise BadInput(
                f"the entry {entry.name!r} runs `gossamer {entry.do}`, which this version does not have"
            )
