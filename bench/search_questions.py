"""Measure how high the right pages rank for questions as people type them, next to plain BM25 over the same pages.

    python bench/search_questions.py WEB QUESTIONS.tsv [--json] [--half tuned|held]

WEB has been crawled; it is indexed if it has no index. Each line of QUESTIONS is a question, a tab, and the addresses of the
right pages with `|` between them; addresses without a scheme are relative to the root of the web's hosts. The peer is bm25s with
its defaults, over the title twice and all text of the page, with its list of English stop words and the Snowball stemmer.
MRR@10 is the mean of 1 / the rank of the first right page among ten answers, 0 if there is none; `first` is the share of
questions whose first answer is right. Odd lines of `bench/questions` are there to tune on, even lines for the final figure.
"""

import argparse
import contextlib
import http.server
import json
import logging
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.crawl.task.task import Task
from gossamer.errors import BadUrl
from gossamer.net.url.canonical_url import canonical
from gossamer.search.index.make_entry import is_indexed
from gossamer.search.index.read_archived_page import read_page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.web import Web
from pages import DOCUMENTATION
from search_names import measure_titles

HERE = Path(__file__).parent / "questions"
SITES = {"python": "python3.11", "postgresql": "postgresql-doc-15"}
"""By set of questions: the package whose HTML folder was asked about."""
_TOP = 10
_TITLE_TIMES = 2
HALVES = {"all": slice(None), "tuned": slice(0, None, 2), "held": slice(1, None, 2)}

Search = Callable[[str], list[str]]
"""Returns the addresses of the best pages for a question."""


class Question(NamedTuple):
    """A question, and the canonical addresses of the pages that answer it."""

    text: str
    right: frozenset[str]


class PlainPage(NamedTuple):
    """A page as the peer indexes it."""

    url: str
    title: str
    text: str


def read_questions(path: Path, roots: Sequence[str]) -> list[Question]:
    """Read questions; addresses without a scheme are resolved against each of the roots."""
    found = []
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        text, _, addresses = line.partition("\t")
        right = [one.strip() for one in addresses.split("|") if one.strip()]
        if not right:
            raise SystemExit(
                f"{path}, line {number}: a line is a question, a tab, and addresses separated by |"
            )
        found.append(Question(text.strip(), frozenset(_resolve(right, roots))))
    return found


def _resolve(addresses: Sequence[str], roots: Sequence[str]) -> Iterator[str]:
    for address in addresses:
        for base in [None] if "://" in address else roots:
            with contextlib.suppress(BadUrl):
                yield canonical(address, base)


def list_roots(web: Web) -> list[str]:
    """Return the root of each host of a web."""
    parts = (urlsplit(page.url) for page in web.store.pages())
    return list(dict.fromkeys(f"{one.scheme}://{one.netloc}/" for one in parts))


def read_plain_pages(web: Web) -> Iterator[PlainPage]:
    """Yield the indexed pages of a web with all their text."""
    archive = ArchiveReader(web.folder / "archive")
    for page in web.store.pages():
        if not is_indexed(page):
            continue
        exchange = archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)
        if exchange is not None:
            content = read_page(page, exchange.body, exchange.headers)
            yield PlainPage(page.url, content.title, f"{content.main}\n{content.rest}")


def make_peer(pages: Sequence[PlainPage]) -> Search:
    """Index pages by bm25s, as its documentation does."""
    import bm25s
    import Stemmer

    logging.getLogger("bm25s").setLevel(logging.ERROR)
    tokenize: Any = partial(
        bm25s.tokenize, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False
    )
    retriever = bm25s.BM25()
    texts = ["\n".join([page.title] * _TITLE_TIMES + [page.text]) for page in pages]
    retriever.index(tokenize(texts), show_progress=False)

    def search(text: str) -> list[str]:
        words = tokenize([text], return_ids=False)
        if not words[0]:
            return []
        places, scores = retriever.retrieve(words, k=min(_TOP, len(pages)), show_progress=False)
        return [pages[at].url for at, score in zip(places[0], scores[0], strict=True) if score > 0]

    return search


def find_rank(found: Sequence[str], right: frozenset[str]) -> int:
    """Return the rank of the first right page among the best answers; 0 if there is none."""
    return next((rank for rank, url in enumerate(found[:_TOP], 1) if canonical(url) in right), 0)


def measure_questions(questions: Sequence[Question], search: Search, name: str = "") -> dict[str, float]:
    """Return MRR@10 and the share of questions whose first answer is right."""
    ranks = [find_rank(search(one.text), one.right) for one in questions]
    return {
        f"{name}mrr@10": statistics.mean(1 / rank if rank else 0.0 for rank in ranks),
        f"{name}first": statistics.mean(rank == 1 for rank in ranks),
    }


def measure_web(web: Web, path: Path, half: str = "all") -> dict[str, float]:
    """Measure the questions of a file on a web, with the peer beside it if it is installed."""
    if not web.pages_indexed():
        web.index()
    questions = read_questions(path, list_roots(web))[HALVES[half]]
    if not questions:
        raise SystemExit(f"{path}: there are no questions")
    figures = measure_questions(questions, lambda text: [one.url for one in web.search(text).answers])
    try:
        peer = make_peer(list(read_plain_pages(web)))
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed: no figures of bm25s", file=sys.stderr)
        return figures
    return figures | measure_questions(questions, peer, "bm25s_")


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; yield the address of its start page."""
    handler = partial(_QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def crawl_documentation(package: str) -> Iterator[Web]:
    """Crawl and index the documentation of a package of Debian; yield the web."""
    with tempfile.TemporaryDirectory() as folder, Web(Path(folder, "web")) as web:
        with serve_folder(DOCUMENTATION / package / "html") as start:
            web.run([Task(seeds=[start], scope="host", delay_s=0.0, allow_private=["127.0.0.0/8"])])
        web.index()
        yield web


def measure() -> dict[str, float]:
    """Measure the half of the questions over documentation that was not tuned on, and their mean relative to the peer."""
    figures: dict[str, float] = {}
    for name, package in SITES.items():
        if (DOCUMENTATION / package / "html" / "index.html").is_file():
            with crawl_documentation(package) as web:
                found = measure_web(web, HERE / f"{name}.tsv", "held") | {"titles": measure_titles(web)}
            figures |= {f"search_questions.{name}.{key}": value for key, value in found.items()}
    ours, peers = (
        [value for key, value in figures.items() if key.endswith(f".{end}mrr@10")] for end in ("", "bm25s_")
    )
    if ours and peers:
        figures["search_questions.mrr_vs_bm25s"] = sum(ours) / sum(peers)
    return figures


def main() -> int:
    """Measure one file of questions."""
    parser = argparse.ArgumentParser(description="MRR@10 of questions over a web, next to bm25s.")
    parser.add_argument("web", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--half", choices=list(HALVES), default="all", help="odd lines, even lines, or all")
    arguments = parser.parse_args()
    with Web(arguments.web, create=False) as web:
        figures = measure_web(web, arguments.questions, arguments.half)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name} {value:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
