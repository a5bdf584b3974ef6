"""Measure how well home pages are found by their names: by what links on other pages call them, on the lab's web.

    python bench/search_names.py

The name of a home page is the text of most of the links that lead to it, of those that lead to few pages. The first answer must be that page. The same is measured for an index that knows no texts of links.
"""

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from gossamer.crawl.task import Task
from gossamer.lab.server import serving
from gossamer.lab.world import World
from gossamer.search.answering import search
from gossamer.search.answers import Wish
from gossamer.search.index import Index
from gossamer.web import INDEX, Web

HOSTS, PAGES = 60, 2_000
_MOST_TARGETS = 20
_HOME_SLASHES = 3


def crawled(folder: Path) -> Web:
    """Crawl a world into a web, and index it."""
    web = Web(folder)
    with serving(World(seed=11, hosts=HOSTS, pages=PAGES)) as running:
        web.run([Task(seeds=running.seeds, scope="any", delay_s=0.0, allow_private=["127.0.0.0/8"])])
    web.index()
    return web


def names(web: Web) -> dict[str, str]:
    """Return the name of each home page that has one, by its URL."""
    homes = {page.id: page.url for page in web.store.pages() if page.url.count("/") == _HOME_SLASHES}
    homes = {number: url for number, url in homes.items() if url.endswith("/")}
    called: dict[int, Counter[str]] = defaultdict(Counter)
    for link in web.store.links():
        if link.text and link.source != link.target:
            called[link.target][link.text] += 1
    led_to = Counter(text.lower() for texts in called.values() for text in texts)
    best = {
        page: max(
            (text for text in called[page] if led_to[text.lower()] <= _MOST_TARGETS),
            key=called[page].__getitem__,
            default="",
        )
        for page in homes
    }
    return {homes[page]: name for page, name in best.items() if name}


def found_first(index: Index, wanted: dict[str, str]) -> float:
    """Return the share of pages that are the first answer to their names."""
    first = [search(index, name, Wish(size=1)).answers for name in wanted.values()]
    return sum(bool(one) and one[0].url == url for one, url in zip(first, wanted, strict=True)) / len(wanted)


def measure() -> dict[str, float]:
    """Measure with the texts of links and without."""
    with tempfile.TemporaryDirectory() as folder, crawled(Path(folder, "web")) as web:
        wanted = names(web)
        index = Index(web.folder / INDEX)
        figures = {"search_names.first": found_first(index, wanted), "search_names.pages": float(len(wanted))}
        index.weights = msgspec.structs.replace(index.weights, anchors=0.0)
        figures["search_names.first_without_anchors"] = found_first(index, wanted)
    return figures


def main() -> int:
    """Measure, and print."""
    for name, figure in measure().items():
        print(f"{name} {figure:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
