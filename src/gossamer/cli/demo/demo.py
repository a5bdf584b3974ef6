"""`gossamer demo`: crawl a small synthetic web, show the results and search them, in under a minute."""

import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.atomic_file import make_temporary_folder
from gossamer.cli.demo.demo_search import search_demo, serve_demo

if TYPE_CHECKING:  # imported when the verb runs, so that help stays fast
    from gossamer.lab import World
    from gossamer.records import Page
    from gossamer.web import Web

_TROUBLE: dict[str, Any] = {
    "redirect": 0.04,
    "near_copy": 0.04,
    "not_found": 0.02,
    "frames": 0.02,
    "image_map": 0.03,
    "sessions": 0.2,
    "disallowed": 0.05,
    "robots_meta": 0.02,
}
_DELAY_S = 0.02
_NEAR_BITS = 3
_SHOWN = 5


def demo(
    pages: Annotated[
        int, typer.Option(help="Number of pages of the synthetic web.", min=20, max=5_000)
    ] = 400,
    seed: Annotated[int, typer.Option(help="The same seed makes the same web.")] = 7,
    web: Annotated[Path | None, typer.Option(help="Keep the results in this new directory.")] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve a search page for the results until Ctrl-C.")
    ] = False,
) -> None:
    """Crawl a small synthetic web over real HTTP, show what was found, and search it.

    \b
    gossamer demo
    gossamer demo --serve
    gossamer demo --pages 2000 --seed 3 --web demo.web
    """
    from gossamer.cli.check_extra import check_extra
    from gossamer.cli.output.tables import console
    from gossamer.errors import BadInput

    check_extra("lab")
    if serve:
        check_extra("serve")
    from gossamer.lab import Trouble, World, serving
    from gossamer.web import Web

    if web is not None and web.exists():
        raise BadInput(f"{web} already exists: use a new directory")
    hosts = max(4, pages // 40)
    world = World(
        seed=seed, hosts=hosts, pages=pages, languages=("en", "de", "fr"), trouble=Trouble(**_TROUBLE)
    )
    with ExitStack() as stack:
        folder = web or stack.enter_context(make_temporary_folder(Path(tempfile.gettempdir())))
        lab = stack.enter_context(serving(world))
        collection = stack.enter_context(Web(folder))
        console.print(f"A synthetic web of {pages:,} pages on {hosts} hosts starts at {lab.seeds[0]}")
        _crawl(collection, lab.seeds)
        search_demo(collection, _show_results(collection, world.with_port(lab.port)))
        _print_next_steps(web)
        if serve:
            serve_demo(collection)


def _crawl(collection: "Web", seeds: list[str]) -> None:
    from gossamer.cli.output.tables import console
    from gossamer.crawl.task.task import Task

    task = Task(name="demo", seeds=seeds, scope="any", delay_s=_DELAY_S, allow_private=["127.0.0.0/8"])
    began_s = time.perf_counter()
    collection.run([task])
    console.print(f"Crawled politely in {time.perf_counter() - began_s:.1f} s.\n")


def _show_results(collection: "Web", world: "World") -> "list[Page]":
    """Print what was found and how it compares with the truth; return the linked pages, the most linked first."""
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.cli.output.wording import list_counts

    (task,) = collection.tasks()
    print_table("What the crawl did", ["what", "how many"], list_counts(task.counts))
    pages = list(collection.store.pages())
    languages = Counter(page.language or "unknown" for page in pages)
    print_table("Languages of the pages", ["language", "pages"], languages.most_common())
    links = [link for page in pages for link in collection.store.links_from(page.id)]
    print_table("Links by type", ["type", "links"], Counter(link.type for link in links).most_common())
    by_id = {page.id: page for page in pages}
    linked = [
        (at, times) for at, times in Counter(link.target for link in links).most_common() if at in by_id
    ]
    linked_rows = [(clean_text(by_id[at].title, 40), times, by_id[at].url) for at, times in linked[:_SHOWN]]
    print_table("Most linked pages", ["title", "links in", "URL"], linked_rows)
    reachable = set(world.reachable())
    found = {page.url for page in pages}
    facts = [
        ("pages that a polite crawler must find", len(reachable)),
        ("of these, found", len(reachable & found)),
        ("pairs of near copies", _near_pairs(pages)),
        ("bytes in the archive", sum(collection.store.archive_ends().values())),
    ]
    print_table("Compared with the truth", ["fact", "figure"], facts)
    return [by_id[at] for at, _ in linked]


def _near_pairs(pages: "list[Page]") -> int:
    from gossamer.net.fingerprint import distance

    hashes = [page.simhash for page in pages if page.simhash]
    return sum(
        distance(one, other) <= _NEAR_BITS for at, one in enumerate(hashes) for other in hashes[at + 1 :]
    )


def _print_next_steps(web: Path | None) -> None:
    from gossamer.cli.output.tables import console

    console.print("What to try next:")
    program = _find_program_name()
    suggestions = [
        ("crawl https://www.example.org/ --depth 1", "crawl a part of the real web"),
        ("demo --web demo.web --serve", "keep the results and search them in a browser"),
        ("lab serve --pages 100000 --hosts 200", "serve a larger web for any crawler"),
        ("--help", "list all commands"),
    ]
    if web is not None:
        suggestions[1] = (f"tasks --web {web}", "show what the crawl did")
    for command, meaning in suggestions:
        console.print(f"  {program} {command:44}{meaning}")


def _find_program_name() -> str:
    """Return the command to type: after `make demo` the program is not on the path."""
    here = Path(sys.argv[0])
    return str(here) if here.name == "gossamer" and shutil.which("gossamer") is None else "gossamer"
