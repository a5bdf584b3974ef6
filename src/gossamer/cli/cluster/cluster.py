"""`gossamer cluster`: show the fetchers of a web in a database."""

from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.store.postgres.coordination.leases import FetcherNote


def cluster(web: WebPath = Path("web"), json: Json = False) -> int:
    """Show who crawls a web in a database: each fetcher with its machine, its part of the hosts, and how it is doing.

    \b
    gossamer cluster --web 'postgresql://crawl@db.example/web?archive=s3://pages/web'
    gossamer cluster --web 'postgresql://crawl@db.example/web?archive=s3://pages/web' --json
    """
    from contextlib import closing

    from gossamer.errors import BadInput
    from gossamer.store.opening.web_location import find_database
    from gossamer.store.postgres.coordination.leases import Leases
    from gossamer.store.postgres.postgres_store import PostgresStore

    address = find_database(web)
    if address is None:
        raise BadInput(f"{web} is a directory: it has no fetchers; `gossamer tasks` shows what runs there")
    PostgresStore(address, read_only=True).close()  # says what is wrong with the address
    with closing(Leases(address)) as leases:
        found = leases.list_fetchers()
    if json:
        _print_json(found)
    elif found:
        _print_table(found)
    else:
        from gossamer.cli.output.tables import console

        console.print(f"No fetcher crawls {address}. `gossamer fetcher` starts one.", markup=False)
    return 0


def _print_json(found: "list[FetcherNote]") -> None:
    import msgspec

    from gossamer.cli.output.json_lines import print_json

    for note in found:
        record = {
            name: getattr(note, name) for name in note.__struct_fields__ if name not in ("status", "groups")
        }
        record |= {"shares": note.groups * _group_size(), "present": note.expires_in_s > 0}
        print_json(record | msgspec.json.decode(note.status))


def _print_table(found: "list[FetcherNote]") -> None:
    import msgspec

    from gossamer.cli.output.tables import clean_text, print_table

    columns = [
        "fetcher",
        "machine",
        "shares",
        "lease age",
        "state",
        "browser",
        "pages",
        "pages/s",
        "in flight",
        "last error",
    ]
    rows = []
    for note in found:
        status = msgspec.json.decode(note.status)
        rows.append(
            [
                clean_text(note.name),
                clean_text(note.machine),
                note.groups * _group_size(),
                f"{note.silent_s:.1f} s",
                "present" if note.expires_in_s > 0 else "silent: others take its hosts",
                "yes" if status.get("renders") else "no",
                status.get("pages", 0),
                round(status.get("pages_per_s", 0.0), 1),
                status.get("in_flight", 0),
                clean_text(status.get("last_error", "")),
            ]
        )
    print_table("", columns, rows)


def _group_size() -> int:
    from gossamer.store.postgres.share_groups import GROUP_BITS

    return 1 << GROUP_BITS
