"""`gossamer verify`: check that a web is whole, and repair what can be rebuilt."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.store.verify.findings import Finding, Findings

_REMEDIES = {
    "repair": "`gossamer verify --repair` rebuilds it",
    "import": "make a new web from its archive: `gossamer import WEB/archive --web NEW`",
    "lost": "cannot be rebuilt",
    "forget": "`gossamer forget` removes it, or goes on where it was",
    "none": "no damage",
}


def verify(
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild what can be rebuilt; no crawl may be running.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Check that a web is whole: its archive, indexes, state and models.

    Every WARC record is compared with its length and digest, CDXJ indexes with their records, pages with their records, links with the pages they lead to, and the search index with the state. The exit code is 0 if the web is sound, and 1 if there is damage. --repair rebuilds CDXJ indexes, the search index, positions of pages, totals and SQLite's indexes, and marks pages that are lost; it never changes the bytes of the archive.

    \b
    gossamer verify --web docs.web
    gossamer verify --repair --web docs.web
    gossamer verify --web docs.web --json
    """
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.control.command_mailbox import is_running
    from gossamer.store.lock import Lock
    from gossamer.store.opening.open_archive import DATABASE
    from gossamer.store.opening.open_store import check_copy_finished
    from gossamer.store.opening.web_name import name_web
    from gossamer.store.verify.verify_web import WebParts, verify_web
    from gossamer.web import STATE, check_web

    check_copy_finished(web)
    if not (web / "archive").is_dir():
        check_web(web)
    lock: AbstractContextManager[object] = Lock(web) if repair else nullcontext()
    with lock, show_progress("Checking", with_time_left=True) as progress:
        if (web / DATABASE).exists():
            from gossamer.store.verify.verify_database import verify_database

            findings = verify_database(web, progress, repair)
        else:
            parts = WebParts(web, web / STATE, is_live=not repair and is_running(web))
            findings = verify_web(parts, progress, repair)
        _check_search_index(web, findings, repair, progress)
    _print_json(findings) if json else _print_tables(web, findings, repair)
    if not findings.is_sound:
        print_error(f"{name_web(web)} is damaged.")
    return int(not findings.is_sound)


def _check_search_index(
    web: Path, findings: "Findings", repair: bool, progress: Callable[[float], None]
) -> None:
    """Check the search index, and build it anew if it is damaged and may be repaired."""
    from gossamer.errors import GossamerError, MissingExtra
    from gossamer.store.opening.web_versions import INDEX
    from gossamer.web import Web

    try:
        from gossamer.search.index.check_index import check_index
    except MissingExtra:
        return  # nothing can read an index here
    try:
        opened = Web(web, create=False, read_only=not repair)
    except GossamerError:
        for problem in check_index(web / INDEX, None):
            findings.add(f"index {problem.name}", problem.example, problem.count)
        return
    with opened:
        try:
            for problem in check_index(opened.index_folder, opened.store):
                findings.add(f"index {problem.name}", problem.example, problem.count)
        except GossamerError:
            return  # rows that cannot be read were found before
        if repair and findings.has("index damaged", "index superfluous"):
            opened.index(progress, anew=findings.has("index damaged"))
            for name in ("index damaged", "index superfluous", "index behind"):
                findings.repair(name, 1 << 30)


def _print_json(findings: "Findings") -> None:
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.store.verify.findings import PROBLEMS

    found = findings.listed()
    for one in found:
        problem = PROBLEMS[one.problem]
        about = {
            "part": problem.part,
            "what": problem.sentence,
            "damage": problem.is_damage,
            "remedy": problem.remedy,
        }
        print_json({**msgspec.to_builtins(one), **about})
    print_json({"sound": findings.is_sound, "checked": findings.checked, "findings": len(found)})


def _print_tables(web: Path, findings: "Findings", repair: bool) -> None:
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import format_count
    from gossamer.store.opening.web_name import name_web
    from gossamer.store.verify.findings import PROBLEMS

    found = findings.listed()
    rows = [
        [
            PROBLEMS[one.problem].part,
            PROBLEMS[one.problem].sentence,
            one.count,
            *([one.repaired] if repair else []),
            _describe_remedy(one),
            "\n".join(clean_text(example, 120) for example in one.examples),
        ]
        for one in found
    ]
    if rows:
        columns = ["part", "found", "how often", *(["repaired"] if repair else []), "remedy", "examples"]
        print_table("", columns, rows)
    counted = ", ".join(
        format_count(number, things.removesuffix("s"))
        for things, number in findings.checked.items()
        if not things.startswith("rows of")
    )
    console.print(f"Checked: {counted or 'nothing'}.")
    if findings.is_sound:
        console.print(f"{name_web(web)} is sound.")


def _describe_remedy(one: "Finding") -> str:
    from gossamer.store.verify.findings import PROBLEMS

    return "repaired" if one.repaired >= one.count else _REMEDIES[PROBLEMS[one.problem].remedy]
