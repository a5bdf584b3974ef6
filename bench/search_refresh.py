"""Measure the cost of refreshing an index after one page in a hundred has changed, relative to building it.

    python bench/search_refresh.py [PAGES]

The web is the lab's, crawled over loopback. Changed pages get another digest and their links are written again, as by a
visit that found a change; they are read from the archive again. CPU time counts.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.records import Page
from gossamer.store import record_rows
from gossamer.store.batch import Batch, LinkColumns
from gossamer.store.opening.web_versions import INDEX
from gossamer.web import Web
from timing import measure_cpu_s

PAGES = 3_000
_PAGES_A_HOST = 50
_TRIES = 3
_ONE_IN = 100


def crawl_world(folder: Path, pages: int) -> Web:
    """Crawl a world into a web."""
    web = Web(folder)
    with serving(World(seed=12, hosts=pages // _PAGES_A_HOST, pages=pages)) as running:
        web.run([Task(seeds=running.seeds, scope="any", delay_s=0.0, allow_private=["127.0.0.0/8"])])
    return web


def change_pages(web: Web, pages: list[Page], visit: int) -> None:
    """Write pages as if a visit had found them changed."""
    sources = {page.id for page in pages}
    changed = [msgspec.structs.replace(page, digest=f"sha1:{visit}") for page in pages]
    links = [
        LinkColumns(
            source, list(record_rows.unpack_keys(targets)), kinds, record_rows.unpack_link_texts(texts)
        )
        for _, source, targets, kinds, texts in list(web.store.link_rows())
        if source in sources
    ]
    web.store.commit(Batch(pages=changed, links=links, read=list(sources)))


def measure(pages: int = PAGES) -> dict[str, float]:
    """Measure building, a refresh of one page in a hundred, and a refresh without changes."""
    with tempfile.TemporaryDirectory() as name, crawl_world(Path(name, "web"), pages) as web:
        builds_s = []
        for _ in range(2):
            shutil.rmtree(web.folder / INDEX, ignore_errors=True)
            builds_s.append(measure_cpu_s(web.index))
        known = list(web.store.pages())
        share = len(known) // _ONE_IN
        refreshes_s, idle_s = [], []
        for visit in range(_TRIES):
            change_pages(web, known[visit::_ONE_IN][:share], visit)
            refreshes_s.append(measure_cpu_s(web.index))
            idle_s.append(measure_cpu_s(web.index))
        return {
            "search_refresh.pages": float(len(known)),
            "search_refresh.build_s": min(builds_s),
            "search_refresh.hundredth_vs_build": min(refreshes_s) / min(builds_s),
            "search_refresh.nothing_vs_build": min(idle_s) / min(builds_s),
        }


if __name__ == "__main__":
    for figure, value in measure(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES).items():
        print(f"{figure} {value:.4f}")
