"""`gossamer watch list` and `gossamer watch remove`: the entries of a watch list."""

from collections.abc import Sequence
from pathlib import Path

from gossamer.cli.task_options import to_canonical_url
from gossamer.cli.typed_url import find_typed_url
from gossamer.errors import BadInput
from gossamer.store.batch import Batch
from gossamer.watch.change_log import format_time
from gossamer.watch.difference.part_text import WatchedPart
from gossamer.watch.watch_list import ROOM, WatchedPage, list_watched
from gossamer.web import Web, open_to_read


def run(verb: str, urls: Sequence[str], folder: Path, part: WatchedPart, json: bool) -> int:
    """List the watched pages, or remove some."""
    if verb == "list":
        if urls:
            raise BadInput("`gossamer watch list` takes no URL")
        return _list(folder, json)
    if not urls:
        raise BadInput("give the URLs to remove, as `gossamer watch list` shows them")
    return _remove(folder, urls, part, json)


def _list(folder: Path, json: bool) -> int:
    with open_to_read(folder) as web:
        pages = list_watched(web.store)
    if json:
        from gossamer.cli.output.json_lines import print_json

        for page in pages:
            print_json(_to_facts(page))
        return 0
    from gossamer.cli.output.tables import console, print_table

    if not pages:
        console.print("No page is watched.")
        return 0
    rows = [
        (
            page.url,
            str(page.part),
            _format_interval(page.every_s),
            _format(page.checked_s),
            _describe(page),
        )
        for page in pages
    ]
    print_table("", ("page", "part", "every", "checked", "state"), rows)
    return 0


def _remove(folder: Path, urls: Sequence[str], part: WatchedPart, json: bool) -> int:
    """Remove all entries of pages, or with a part only that one; their changes stay in the log."""
    with Web(folder, create=False) as web:
        known = list_watched(web.store)
        chosen: list[WatchedPage] = []
        for typed in urls:
            url = to_canonical_url(find_typed_url(web.store, typed))
            found = [page for page in known if page.url == url and (not str(part) or page.part == part)]
            if not found:
                raise BadInput(f"{url} is not watched; `gossamer watch list` shows what is")
            chosen += found
        web.store.commit(Batch(notes={(ROOM, page.name): None for page in chosen}))
    if json:
        from gossamer.cli.output.json_lines import print_json

        for page in chosen:
            print_json({"removed": page.url, "part": str(page.part)})
        return 0
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    console.print(f"No longer watching {format_count(len(chosen), 'part')} of pages.")
    return 0


def _to_facts(page: WatchedPage) -> dict[str, object]:
    return {
        "url": page.url,
        "part": str(page.part),
        "every_s": page.every_s,
        "added": format_time(page.added_s),
        "checked": _format(page.checked_s),
        "status": page.status or "new",
        "detail": page.detail,
        "redirects_to": page.target,
    }


def _format(time_s: float) -> str:
    return format_time(time_s) if time_s else ""


def _describe(page: WatchedPage) -> str:
    state = page.status or "not checked yet"
    return f"{state}: {page.detail}" if page.detail else state


def _format_interval(seconds: float) -> str:
    for unit, length_s in (("w", 604_800), ("d", 86_400), ("h", 3600)):
        if seconds >= length_s and seconds % length_s == 0:
            return f"{seconds / length_s:g}{unit}"
    return f"{seconds / 60:g}m"
