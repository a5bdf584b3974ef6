"""The last part of the demo: index the pages, answer two queries, serve a search page."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when the verb runs, so that help stays fast
    from collections.abc import Iterator

    from gossamer.records import Page
    from gossamer.web import Web

_ANSWERS = 3
_WORDS = 2


def search_demo(collection: "Web", linked: "list[Page]") -> None:
    """Index a collection and run two queries about its most linked pages."""
    from gossamer.cli.output.tables import console, print_line
    from gossamer.cli.search.search import show_answers

    if find_spec("tantivy") is None:
        console.print("To search the results, run:  pip install 'gossamer[search]'\n")
        return
    done = collection.index()
    console.print(f"Indexed {done.added:,} pages.\n")
    for query in _make_queries(linked):
        print_line((f"gossamer search '{query}'", "bold"))
        show_answers(collection.search(query, size=_ANSWERS))
        console.print()


def _make_queries(linked: "list[Page]") -> "Iterator[str]":
    """Yield the title of the most linked page, and a query for pages in another language."""
    if linked:
        yield _harmless(linked[0].title)
    other = next((page for page in linked if page.language not in ("", linked[0].language)), None)
    if other is not None:
        yield f"language:{other.language} {_harmless(' '.join(other.title.split()[:_WORDS]))}"


def _harmless(title: str) -> str:
    from gossamer.cli.output.tables import clean_text

    return clean_text(title).replace("'", " ")


def serve_demo(collection: "Web") -> None:
    """Serve the search page until Ctrl-C."""
    from gossamer.cli.output.tables import console
    from gossamer.ui.run_server import ServerOptions, serve

    def announce(address: str) -> None:
        console.print(f"Search it at {address}  Press Ctrl-C to stop.")

    serve(ServerOptions(collection.folder, port=0), announce)
