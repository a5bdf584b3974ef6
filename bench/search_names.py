"""Measure how well pages are found by their names on the lab's web, with and without texts of links and static rank.

A query that is the title of a page must have a page with exactly this title first: `measure_titles`.

    python bench/search_names.py

The name of a home page is the most frequent text of links to it that says something (`search/links/anchor_texts.py`);
other pages are named by their titles. The first answer must be that page. One word of a name is harder: many pages have
it, and the links decide. The weight of static rank was chosen by these figures.
"""

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.field_weights import WEIGHTS, RankingWeights
from gossamer.search.index.make_entry import is_indexed
from gossamer.search.index.refresh_index import Collection, refresh
from gossamer.search.index.search_index import Index
from gossamer.search.terms.analysis import split_text
from gossamer.store.opening.web_versions import INDEX
from gossamer.web import Web

HOSTS, PAGES = 60, 2_000
_HOME_SLASHES = 3
_OTHERS = 400
_MOST_TARGETS = 20
RANKS = (0.0, 0.15, 0.3, 0.5, 1.0)
WITHOUT_ANCHORS = msgspec.structs.replace(WEIGHTS, anchors_times=0, whole_anchor=0.0)

Wanted = dict[str, str]
"""The query for each URL."""


def crawl_world(folder: Path) -> Web:
    """Crawl a world into a web, and index it."""
    web = Web(folder)
    with serving(World(seed=11, hosts=HOSTS, pages=PAGES)) as running:
        web.run([Task(seeds=running.seeds, scope="any", delay_s=0.0, allow_private=["127.0.0.0/8"])])
    web.index()
    return web


def list_names(web: Web) -> Wanted:
    """Return the name of each home page that has one, by its URL."""
    homes = {page.id: page.url for page in web.store.pages() if page.url.count("/") == _HOME_SLASHES}
    homes = {number: url for number, url in homes.items() if url.endswith("/")}
    called: dict[int, Counter[str]] = defaultdict(Counter)
    targets: dict[str, set[int]] = defaultdict(set)
    for link in web.store.links():
        if link.source != link.target and link.text:
            targets[link.text.lower()].add(link.target)
            if link.target in homes:
                called[link.target][link.text] += 1
    best = {
        page: max(
            (text for text in texts if len(targets[text.lower()]) <= _MOST_TARGETS),
            key=texts.__getitem__,
            default="",
        )
        for page, texts in called.items()
    }
    return {homes[page]: name for page, name in best.items() if name}


def list_titles(web: Web, homes: Wanted) -> Wanted:
    """Return the titles of some other pages by URL; no other page has the same title."""
    pages = [page for page in web.store.pages() if is_indexed(page) and page.title]
    having = Counter(page.title for page in pages)
    found = {page.url: page.title for page in pages if having[page.title] == 1 and page.url not in homes}
    return dict(list(found.items())[:_OTHERS])


def choose_words(wanted: Wanted) -> Wanted:
    """Return the longest word of each name."""
    return {url: max(name.split(), key=len) for url, name in wanted.items()}


def measure_found_first(index: Index, wanted: Wanted) -> float:
    """Return the share of pages that are the first answer to their query."""
    first = [search(index, name, SearchOptions(size=1)).answers for name in wanted.values()]
    return sum(bool(one) and one[0].url == url for one, url in zip(first, wanted, strict=True)) / len(wanted)


def measure_titles(web: Web) -> float:
    """Return the share of titles of a web whose first answer is a page with exactly this title."""
    titles = {page.title: None for page in web.store.pages() if is_indexed(page) and split_text(page.title)}
    index = Index(web.folder / INDEX)
    first = [search(index, title, SearchOptions(size=1)).answers for title in titles]
    return sum(
        bool(one) and split_text(one[0].title) == split_text(title)
        for one, title in zip(first, titles, strict=True)
    ) / len(titles)


def index_again(web: Web, folder: Path, weights: RankingWeights) -> Index:
    """Index a web with other weights, into a folder of its own."""
    index = Index(folder, weights)
    refresh(index, Collection(web.store, web.folder, decode_content))
    return index


def make_questions(web: Web) -> dict[str, Wanted]:
    """Return queries of four kinds for pages."""
    homes = list_names(web)
    others = list_titles(web, homes)
    return {
        "first": homes,
        "first_by_one_word": choose_words(homes),
        "others_first": others,
        "others_first_by_one_word": choose_words(others),
    }


def measure() -> dict[str, float]:
    """Measure with the texts of links and without."""
    with tempfile.TemporaryDirectory() as folder, crawl_world(Path(folder, "web")) as web:
        asked = make_questions(web)
        index = Index(web.folder / INDEX)
        figures = {
            f"search_names.{name}": measure_found_first(index, wanted) for name, wanted in asked.items()
        }
        figures["search_names.titles"] = measure_titles(web)
        other = index_again(web, Path(folder, "other"), WITHOUT_ANCHORS)
        figures["search_names.first_without_anchors"] = measure_found_first(other, asked["first"])
    return figures


def main() -> int:
    """Measure with several weights of static rank, with the texts of links and without, and print."""
    with tempfile.TemporaryDirectory() as folder, crawl_world(Path(folder, "web")) as web:
        asked = make_questions(web)
        index = Index(web.folder / INDEX)
        print("anchors  rank  ", *(f"{name} ({len(wanted)})" for name, wanted in asked.items()), sep="  ")
        for used in (index, index_again(web, Path(folder, "other"), WITHOUT_ANCHORS)):
            for rank in RANKS:
                used.weights = msgspec.structs.replace(used.weights, rank=rank)
                figures = [f"{measure_found_first(used, wanted):.3f}" for wanted in asked.values()]
                print(f"{used.weights.anchors_times}  {rank:.2f}  ", *figures, sep="  ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
