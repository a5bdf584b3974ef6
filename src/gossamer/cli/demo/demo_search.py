"""How the demo ends: the pages that it collected are indexed, two queries answered, and a search page served."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when the verb runs: help has to answer at once
    from collections.abc import Iterator

    from gossamer.records import Page
    from gossamer.web import Web

_ANSWERS = 3
_WORDS = 2


def search_demo(collection: "Web", famous: "list[Page]") -> None:
    """Index a collection and ask two things about its most linked pages, which come first."""
    from gossamer.cli.output.tables import console
    from gossamer.cli.search.search import show_answers

    if find_spec("tantivy") is None:
        console.print("To search it as well:  pip install 'gossamer\\[search]'\n")
        return
    done = collection.index()
    console.print(f"Indexed {done.added:,} pages.\n")
    for query in _queries(famous):
        console.print(f"[bold]gossamer search '{query}'[/bold]", highlight=False)
        show_answers(collection.search(query, size=_ANSWERS))
        console.print()


def _queries(famous: "list[Page]") -> "Iterator[str]":
    """Ask for the most linked page by its title, and for another language."""
    if famous:
        yield _harmless(famous[0].title)
    other = next((page for page in famous if page.language not in ("", famous[0].language)), None)
    if other is not None:
        yield f"language:{other.language} {_harmless(' '.join(other.title.split()[:_WORDS]))}"


def _harmless(title: str) -> str:
    from gossamer.cli.output.tables import clean_text

    return clean_text(title).replace("'", " ")


def serve_demo(collection: "Web") -> None:
    """Serve the search page until somebody ends it."""
    from gossamer.cli.output.tables import console
    from gossamer.errors import MissingExtra

    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise MissingExtra("serve", "starlette")
    from gossamer.ui.run_server import Order, serve

    def tell(address: str) -> None:
        console.print(f"Search it at {address}  Ctrl-C ends it.", markup=False)

    serve(Order(collection.folder, port=0), tell)
