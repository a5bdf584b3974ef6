"""Measure the cost of indexing and of queries, relative to bare tantivy on the same texts in the same run.

    python bench/search_speed.py [PAGES] [SOURCE…]

Half of the pages are real, if there are enough: pages of recordings (WARC) or HTML files in the given folders; by default
those of a recorded web of 1997 (shared/data/webkb) and of Debian's documentation. The others are made of sentences of the
test collections. Queries are two to five words of the queries of these collections, and as many of the titles of the real
pages; there are figures for all of them and for each kind. Bare tantivy indexes and stores title and text with its English
stemmer, and makes snippets with its own generator.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import tantivy

from gossamer.search.answers.answer_query import search
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from orders import RECORDED
from pages import DOCUMENTATION
from search_pages import make_collection_queries, make_title_queries, mix_pages
from search_quality import FOLDER
from timing import find_best_times

PAGES = 10_000
_ROUNDS = 2
_TRIES = 8
_SHARES = {"p50": 50, "p99": 99}


def build_index(pages: list[Entry], folder: Path) -> Index:
    """Index pages as Gossamer does."""
    index = Index(folder)
    writer = index.writer()
    for entry in pages:
        writer.add(entry)
    writer.commit()
    writer.close()
    return index


def build_bare_index(pages: list[Entry], folder: Path) -> tantivy.Index:
    """Index pages as tantivy's tutorial does."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("url", stored=True, tokenizer_name="raw", index_option="basic")
    for field in ("title", "text"):
        builder.add_text_field(field, stored=True, tokenizer_name="en_stem")
    folder.mkdir()
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(heap_size=64_000_000, num_threads=1)
    for entry in pages:
        writer.add_document(tantivy.Document(url=entry.url, title=entry.title, text=entry.main))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def answer_bare(index: tantivy.Index, text: str) -> list[tuple[str, str, str]]:
    """Answer a query: address, title and snippet of ten pages."""
    searcher = index.searcher()
    query = index.parse_query(text, ["title", "text"])
    snippets = tantivy.SnippetGenerator.create(searcher, query, index.schema, "text")
    pages = [searcher.doc(place) for _, place in searcher.search(query, 10).hits]
    return [(page["url"][0], page["title"][0], snippets.snippet_from_doc(page).to_html()) for page in pages]


def time_queries(ask: Mapping[str, Callable[[str], object]], asked: list[str]) -> dict[str, list[float]]:
    """Return the CPU time of each query with each engine, the best of several alternating tries."""
    found: dict[str, list[float]] = {name: [] for name in ask}
    for text in asked:
        tries_s: dict[str, list[float]] = {name: [] for name in ask}
        for _ in range(_TRIES):
            for name, answered in ask.items():
                began_s = time.process_time()
                answered(text)
                tries_s[name].append(time.process_time() - began_s)
        for name, tried in tries_s.items():
            found[name].append(min(tried))
    return found


def _clear_folder(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def measure_size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(pages: int = PAGES, sources: list[Path] | None = None) -> dict[str, float]:
    """Measure both, and return ratios and milliseconds."""
    if not FOLDER.is_dir():
        return {}
    found, others = mix_pages(sources or [path for path in (RECORDED, DOCUMENTATION) if path.exists()], pages)
    taken = found + others
    figures = {"search_speed.pages": float(len(taken)), "search_speed.real_pages": float(len(found))}
    with tempfile.TemporaryDirectory() as name:
        ours, bare = Path(name, "ours"), Path(name, "bare")
        jobs = {
            "ours": lambda: build_index(taken, _clear_folder(ours)),
            "bare": lambda: build_bare_index(taken, _clear_folder(bare)),
        }
        costs_s = find_best_times(jobs, _ROUNDS if pages <= PAGES else 1)
        figures["search_speed.index_vs_bare"] = costs_s["ours"] / costs_s["bare"]
        figures["search_speed.size_vs_bare"] = measure_size(ours) / measure_size(bare)
        asked = {"collections": make_collection_queries(), "titles": make_title_queries(found or others)}
        return figures | measure_queries(Index(ours), tantivy.Index.open(str(bare)), asked)


def measure_queries(index: Index, bare: tantivy.Index, asked: Mapping[str, list[str]]) -> dict[str, float]:
    """Measure queries of several kinds, all together and each kind."""
    ways = {"ours": lambda text: search(index, text), "bare": lambda text: answer_bare(bare, text)}
    of_kind = {kind: time_queries(ways, some) for kind, some in asked.items()}
    together = {name: [one for found_s in of_kind.values() for one in found_s[name]] for name in ways}
    figures = _compute_figures("search_speed", together)
    for kind, found_s in of_kind.items():
        figures |= _compute_figures(f"search_speed.{kind}", found_s)
    return figures


def _compute_figures(name: str, found_s: Mapping[str, list[float]]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for share, percentile in _SHARES.items():
        own, peer = (statistics.quantiles(found_s[way], n=100)[percentile - 1] for way in ("ours", "bare"))
        figures |= {f"{name}.{share}_ms": own * 1000, f"{name}.{share}_vs_bare": own / peer}
    return figures


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    for figure, value in measure(size, [Path(source) for source in sys.argv[2:]]).items():
        print(f"{figure} {value:.3f}")
