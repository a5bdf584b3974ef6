"""Measure themes: agreement with the labels of people, the same themes each time, cost of building and refreshing.

    python bench/themes.py agreement [webkb|news] [--json]
    python bench/themes.py growth [--pages 10000 --pages 100000] [--without-index] [--links] [--json]

- agreement: normalised mutual information, adjusted Rand index and purity of themes, compared with k-means of
  scikit-learn on TF-IDF of the same texts with the same number of groups (mean of three seeds). Pages without a theme are one
  more group, which k-means has as well. WebKB has the kinds of its pages, news the topics of the stories that have exactly
  one. `without` is the share of pages without a theme, `without_links` counts texts only. `again` compares two builds of the same
  collection, the second from an index that was filled in another order; `grown` compares themes of all pages with themes
  of 99 % of them after the rest was added by a refresh.
- growth: processor seconds and memory of building themes for synthetic pages, and of a refresh after 1 % of new pages.
  With `--without-index` pages are made as they are read: a million of them need no index, whose own costs are measured elsewhere.
  With `--links` each of them has twenty links in a store: a menu of eight, which all pages of its host have, eight to pages with
  the same subject, and four to any.
"""

import argparse
import gzip
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from extraction import DATA
from gossamer.context.themes.build_themes import add_pages, build
from gossamer.context.themes.list_pages import IndexPages, list_pages
from gossamer.context.themes.theme_file import ThemeState, read_state, write_state
from gossamer.crawl.from_archive.import_warc import import_warcs
from gossamer.net.fingerprint import text_fingerprints
from gossamer.records import Page, Visit
from gossamer.search.index.page_entry import Entry, IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.links.generic_anchor_texts import GenericTexts
from gossamer.store.batch import Batch, LinkColumns, Store
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web

SHARED = DATA.parent
SEEDS = 3
TEXT = 4_000
WORDS_OF_PAGE = 80
_PAGES_A_BATCH, _PAGES_A_HOST = 5_000, 100


def make_entry(number: int, title: str, text: str) -> Entry:
    """Return a page of a collection without addresses."""
    _, simhash, words = text_fingerprints(text)
    url = f"https://site{number % 97}.example/{number}"
    facts = {"site": f"site{number % 97}.example", "language": "en", "kind": "html", "stamp": number}
    return Entry(id=number, url=url, title=title, main=text, simhash=simhash, words=words, **facts)  # type: ignore[arg-type]


def fill_index(
    entries: Iterable[Entry], folder: Path | None = None, generic: GenericTexts | None = None
) -> Index:
    """Return an index of some pages; `generic` are the link texts that name no page."""
    index = Index(folder)
    if generic is not None:
        index.set_generic_texts(generic)
    writer = index.writer()
    for number, entry in enumerate(entries, 1):
        writer.add(entry)
        if number % 50_000 == 0:
            writer.commit()
    writer.commit()
    return index


def load_news() -> tuple[list[Entry], dict[int, str]]:
    """Return the stories, and the topics of those that have one."""
    entries, labels = [], {}
    with gzip.open(SHARED / "news" / "stories.jsonl.gz", "rt") as file:
        for story in map(json.loads, file):
            entries.append(make_entry(story["id"], story["title"], story["text"]))
            if len(story["topics"]) == 1:
                labels[story["id"]] = story["topics"][0]
    return entries, labels


def load_webkb(folder: Path) -> tuple[Web, dict[int, str]]:
    """Import and index WebKB; return it with the kinds of its pages."""
    web = Web(folder / "webkb.web")
    import_warcs(web.store, web.folder, [SHARED / "webkb" / "webkb.warc.gz"], time.time())
    web.index()
    rows = (line.split("\t") for line in (SHARED / "webkb" / "labels.tsv").read_text("utf-8").split("\n")[1:])
    kinds = {row[0]: row[1] for row in rows if len(row) > 1}
    return web, {page.id: kinds[page.url] for page in web.store.pages() if page.url in kinds}


def group_pages(state: ThemeState) -> dict[int, int]:
    """Return the theme of each page."""
    return dict(zip(state.pages["id"].tolist(), state.pages["theme"].tolist(), strict=True))


def score(labels: dict[int, str], found: dict[int, int]) -> dict[str, float]:
    """Compare groups with labels."""
    both = [page for page in labels if page in found]
    truth, groups = [labels[page] for page in both], [found[page] for page in both]
    best = Counter[int]()
    for (group, _), times in Counter(zip(groups, truth, strict=True)).items():
        best[group] = max(best[group], times)
    return {
        "nmi": round(float(normalized_mutual_info_score(truth, groups)), 4),
        "ari": round(float(adjusted_rand_score(truth, groups)), 4),
        "purity": round(sum(best.values()) / len(both), 4),
        "groups": len(set(groups)),
    }


def compare(first: dict[int, int], second: dict[int, int]) -> float:
    """Return the normalised mutual information of two groupings of the same pages."""
    both = sorted(first.keys() & second.keys())
    one, two = ([groups[page] for page in both] for groups in (first, second))
    return round(float(normalized_mutual_info_score(one, two)), 4)


def run_peer(index: Index, labels: dict[int, str], number: int) -> list[dict[str, float]]:
    """Score k-means on TF-IDF of the same texts, with several seeds."""
    listed = list_pages(index)
    pages = dict(listed.read(np.arange(len(listed.ids))))
    texts = [f"{pages[at].title}\n{pages[at].text[:TEXT]}" for at in range(len(pages))]
    vectors = TfidfVectorizer(stop_words="english", sublinear_tf=True, min_df=5, max_df=0.5).fit_transform(
        texts
    )
    scores = []
    for seed in range(SEEDS):
        groups = KMeans(number, n_init=1, random_state=seed).fit_predict(vectors)
        scores.append(score(labels, dict(zip(listed.ids.tolist(), groups.tolist(), strict=True))))
    return scores


def copy_entries(index: Index) -> list[Entry]:
    """Return the pages of an index as entries."""
    listed = list_pages(index)
    numbers = np.arange(len(listed.ids))
    simhashes, words = listed.read_fingerprints(numbers)
    return [
        Entry(
            **{name: getattr(page, name) for name in ("url", "title", "language", "kind", "site")},
            id=int(listed.ids[at]),
            stamp=int(listed.stamps[at]),
            main=page.text,
            simhash=int(simhashes[at]),
            words=int(words[at]),
        )
        for at, page in listed.read(numbers)
    ]


def measure_agreement(name: str, with_again: bool = True) -> dict[str, Any]:
    """Measure one collection."""
    with tempfile.TemporaryDirectory() as folder:
        store: Store | None = None
        if name == "webkb":
            web, labels = load_webkb(Path(folder))
            index, store = web._open_index(), web.store
        else:
            entries, labels = load_news()
            index = fill_index(entries)
        result: dict[str, Any] = {"collection": name, "pages": index.own_pages, "labelled": len(labels)}
        state = build(list_pages(index), store)
        groups = group_pages(state)
        result["themes"] = score(labels, groups)
        if store is not None:
            result["without_links"] = score(labels, group_pages(build(list_pages(index), None)))
        result["without"] = round(state.themes.without / len(state.pages), 4)
        peers = run_peer(index, labels, len(state.middles) + bool(state.themes.without))
        result["kmeans"] = {key: round(float(np.mean([one[key] for one in peers])), 4) for key in peers[0]}
        result["kmeans_nmi"] = [one["nmi"] for one in peers]
        if not with_again:
            return result
        copied, generic = copy_entries(index), index.generic_texts
        random.Random(1).shuffle(copied)
        result["again"] = compare(
            groups, group_pages(build(list_pages(fill_index(copied, generic=generic)), store))
        )
        part = build(list_pages(fill_index(copied[len(copied) // 100 :], generic=generic)), store)
        grown = add_pages(part, list_pages(fill_index(copied, generic=generic)), store)
        result["grown"] = compare(groups, group_pages(grown))
        return result


def write_pages(first: int, last: int, subjects: int = 150) -> Iterable[Entry]:
    """Yield synthetic pages: each has words of one of many subjects, and words of all."""
    dice = np.random.default_rng(first + 7)
    for number in range(first, last):
        subject = int(dice.integers(subjects))
        own = np.minimum(dice.zipf(1.4, WORDS_OF_PAGE // 2), 400)
        common = np.minimum(dice.zipf(1.2, WORDS_OF_PAGE // 2), 20_000)
        words = [f"s{subject}w{word}x" for word in own] + [f"c{word}x" for word in common]
        page = (number * 0x9E3779B97F4A7C15 + 2**63) % 2**64 - 2**63
        entry = make_entry(number, " ".join(words[:3]), " ".join(words))
        yield Entry(**{name: getattr(entry, name) for name in entry.__struct_fields__} | {"id": page})


class SyntheticPages(IndexPages, frozen=True, eq=False):
    """Pages that are made when they are read, instead of an index: each is one of some texts with a word of its own."""

    texts: tuple[IndexedPage, ...] = ()

    def read(self, numbers: NDArray[np.int64]) -> Iterator[tuple[int, IndexedPage]]:
        """Yield some pages with their numbers."""
        for at in numbers.tolist():
            page = self.texts[int(self.stamps[at]) % len(self.texts)]
            yield at, msgspec.structs.replace(page, title=f"{page.title} n{at}")

    def read_fingerprints(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return a simhash of its own for each page."""
        return self.ids[numbers], np.full(len(numbers), WORDS_OF_PAGE, np.int32)


def make_synthetic(pages: int, texts: tuple[IndexedPage, ...]) -> SyntheticPages:
    """Return so many pages; fewer pages are a part of more."""
    stamps, ids = np.arange(pages, dtype=np.int64), number_pages(pages)
    order = np.argsort(ids)
    return SyntheticPages(Index(), ids[order], stamps[order], [], texts)


def number_pages(pages: int) -> NDArray[np.int64]:
    """Return the ids of so many pages."""
    numbers = np.arange(pages, dtype=np.int64).view(np.uint64)
    return (numbers * np.uint64(0x9E3779B97F4A7C15)).view(np.int64)


def fill_store(store: Store, ids: NDArray[np.int64], first: int, kinds: int) -> None:
    """Store pages from the first on, in the order of their numbers, with links to pages up to the last one."""
    number_of = len(ids)
    for begin in range(first, number_of, _PAGES_A_BATCH):
        batch = Batch()
        for number in range(begin, min(begin + _PAGES_A_BATCH, number_of)):
            dice = np.random.default_rng(number)
            host = number // _PAGES_A_HOST
            menu = np.minimum(host * _PAGES_A_HOST + np.arange(8), number_of - 1)
            alike = (number + kinds * dice.integers(1, 1 + max(1, number_of // kinds), 8)) % number_of
            targets = ids[np.concatenate([menu, alike, dice.integers(number_of, size=4)])].tolist()
            texts = ["home"] * 8 + [f"c{number % 97}x s{number % kinds}w1x"] * 8 + ["more"] * 4
            url = f"https://h{host}.example/{number}"
            page = Page(int(ids[number]), url, f"h{host}.example", 1, 1, 1.0, 200, "html", f"page {number}")
            batch.pages.append(page)
            batch.visits.append(Visit(page.id, 1, 1.0, "fetched", 200))
            batch.links.append(LinkColumns(page.id, targets, bytes(len(targets)), texts))
        store.commit(batch)


def measure_growth(sizes: Sequence[int], with_index: bool, with_links: bool = False) -> list[dict[str, Any]]:
    """Measure building, and a refresh after 1 % of new pages, at several sizes."""
    texts = tuple(
        IndexedPage(one.url, one.title, "en", "html", one.site, 0.0, 0, True, one.main)
        for one in write_pages(0, 5_000)
    )
    rows = []
    for pages in sizes:
        more = pages + pages // 100
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "themes.bin"
            index = fill_index(write_pages(0, pages), Path(folder) / "index") if with_index else Index()
            store: Store | None = None
            if with_links:
                store = SqliteStore(Path(folder) / "state.sqlite", create=True)
                fill_store(store, number_pages(pages), 0, len(texts))
                store.links_to(0)  # links are found by their target from the first look on
            begun = time.process_time()
            state = build(list_pages(index) if with_index else make_synthetic(pages, texts), store)
            write_state(state, path)
            built = time.process_time() - begun
            if with_index:
                writer = index.writer()
                for entry in write_pages(pages, more):
                    writer.add(entry)
                writer.commit()
            if store is not None:
                fill_store(store, number_pages(more), pages, len(texts))
                store.links_to(0)
            begun = time.process_time()
            before = read_state(path)
            assert before is not None
            write_state(
                add_pages(before, list_pages(index) if with_index else make_synthetic(more, texts), store),
                path,
            )
            refreshed = time.process_time() - begun
            size = path.stat().st_size >> 20
        row = {"pages": pages, "themes": len(state.middles), "build_s": round(built, 2), "file_mb": size}
        row |= {"refresh_s": round(refreshed, 2), "share": round(refreshed / built, 4)}
        rows.append(row | {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024})
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def measure() -> dict[str, float]:
    """Return the figures that have floors; none without the collections."""
    if not (SHARED / "news").is_dir():
        print(f"there are no collections at {SHARED}: themes are not measured", file=sys.stderr)
        return {}
    found = {}
    for name in ("webkb", "news"):
        agreed = measure_agreement(name, with_again=False)
        for key in ("nmi", "ari", "purity"):
            found[f"themes.{name}_{key}_vs_kmeans"] = agreed["themes"][key] - agreed["kmeans"][key]
    return found


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("agreement", "growth"))
    parser.add_argument("collection", nargs="?", choices=("webkb", "news"))
    parser.add_argument("--pages", type=int, action="append")
    parser.add_argument("--without-index", action="store_true", help="make pages as they are read")
    parser.add_argument("--links", action="store_true", help="with twenty links a page")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.what == "growth":
        with_index = not asked.without_index and not asked.links
        rows: list[dict[str, Any]] = measure_growth(asked.pages or [10_000, 100_000], with_index, asked.links)
    else:
        if not (SHARED / "news").is_dir():
            sys.exit(f"themes: no collections in {SHARED}; nothing was measured")
        rows = [
            measure_agreement(name)
            for name in ([asked.collection] if asked.collection else ["webkb", "news"])
        ]
    for row in rows:
        print(json.dumps(row) if asked.json else "  ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
