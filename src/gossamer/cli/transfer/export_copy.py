"""`gossamer export web`: copy a whole web to another folder or database."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.task_options import parse_web
from gossamer.cli.transfer.export_corpus import STANDARD_OUTPUT, print_left_out

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.store.batch import Store


def export_copy(web: Path, to: str, json: bool) -> int:
    """Copy a web, and print what the copy has."""
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count
    from gossamer.crawl.control.stored_mailbox import ROOM
    from gossamer.errors import BadInput
    from gossamer.store.copy.copy_web import Orders, copy_web
    from gossamer.web import check_web

    if to == str(STANDARD_OUTPUT):
        raise BadInput("name the folder or the database to copy to: gossamer export web OUT")
    check_web(web)
    command = f"gossamer export web {shlex.quote(to)} --web {shlex.quote(_name_source(web))}"
    with show_progress("Copying", with_time_left=True) as progress:
        result = copy_web(web, parse_web(to), command, Orders(ROOM, _carry_over_orders), progress)
    left_out = [f"{name} lacks {format_count(size, 'byte')}" for name, size in result.missing.items()]
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json({"path": to, "counts": result.counts, "left_out": left_out})
    else:
        named = {"known": "known URL", "waiting": "waiting request"}
        counts = (
            format_count(number, named.get(name, name.removesuffix("s")))
            for name, number in result.counts.items()
        )
        console.print(f"{to}: {', '.join(counts)}")
        print_left_out(left_out)
    if left_out:
        print_error("the archive is damaged; `gossamer verify` lists what is lost.")
    return int(bool(left_out))


def _name_source(web: Path) -> str:
    """Return how a user names a web: its folder, or its address if it is in a database."""
    import msgspec

    from gossamer.store.opening.open_archive import DATABASE
    from gossamer.store.opening.web_location import DatabaseLink

    if not (web / DATABASE).exists():
        return str(web)
    return msgspec.json.decode((web / DATABASE).read_bytes(), type=DatabaseLink).web


def _carry_over_orders(source: "Store", folder: Path, target: "Store", new_folder: Path) -> None:
    """Copy the orders that wait for the next crawl."""
    from gossamer.crawl.control.reach_crawl import open_mailbox

    mailbox = open_mailbox(target, new_folder)
    for order in open_mailbox(source, folder).read_new():
        mailbox.append(order)
