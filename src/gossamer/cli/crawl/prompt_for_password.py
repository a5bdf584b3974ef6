"""Take passwords from the command line and ask for missing ones; they go into the credentials file, not into the web."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    from gossamer.config import TaskSpec
    from gossamer.crawl.control.take_credentials import Ask
    from gossamer.crawl.task.task import Task
    from gossamer.fetch.credentials import Login
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web


def take_passwords(task: "Task", web: Path) -> None:
    """Take the passwords out of a new task's options, and ask for those that are missing."""
    from gossamer.crawl.control.take_credentials import ask_for_missing, take_credentials

    taken = take_credentials(task.spec)
    task.spec = taken.spec
    task.credentials = ask_for_missing(web, taken.spec.fetching, taken.credentials, _find_person())


def change_passwords(web: "Web", before: "TaskSpec", options: dict[str, Any]) -> dict[str, Any]:
    """Keep the passwords among changed options; return these options as they can be stored and shown."""
    from gossamer.config import replace_options
    from gossamer.crawl.control.command_mailbox import read_spec
    from gossamer.crawl.control.take_credentials import ask_for_missing, change_credentials
    from gossamer.fetch.credentials import list_logins, save_credentials

    secret = {name: options[name] for name in ("auth", "proxy") if name in options}
    if not secret:
        return {}
    taken = change_credentials(before, replace_options(before, **secret))
    fetching = taken.spec.fetching
    credentials = ask_for_missing(web.folder, fetching, taken.credentials, _find_person())
    used = [list_logins(read_spec(note).fetching) for note in web.tasks()]
    former = list_logins(before.fetching) - list_logins(fetching)
    forgotten = [login for login in former if sum(login in logins for logins in used) < 2]
    save_credentials(web.folder, credentials, forgotten)
    return {name: getattr(fetching, name) for name in secret}


def ask_for_known_tasks(web: "Web", notes: Sequence["TaskNote"]) -> None:
    """Ask for the passwords of stored tasks that are not known on this machine."""
    from gossamer.crawl.control.command_mailbox import read_spec
    from gossamer.crawl.control.take_credentials import ask_for_missing
    from gossamer.fetch.credentials import save_credentials

    for note in notes:
        found = ask_for_missing(web.folder, read_spec(note).fetching, (), _find_person())
        save_credentials(web.folder, found)


def _find_person() -> "Ask | None":
    """Return how to ask for a password; None if nothing can be asked, as in a pipe."""
    return _ask if sys.stdin is not None and sys.stdin.isatty() else None


def _ask(login: "Login") -> str:
    from getpass import getpass  # late: few crawls log in

    what = "Password of" if login.user else "user:password for"
    return getpass(f"{what} {login}: ")
