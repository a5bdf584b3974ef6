"""Measure the cost of reading a page, relative to only parsing it: with the parser that read uses, and with lexbor.

The cost of main text, reading included, is measured relative to reading.

Peers alternate page by page, and each frees its tree before the next starts, as in a crawl. The least CPU time of
several rounds counts for each page and peer, and a ratio is one of sums. Every peer is given bytes.

    python bench/reading.py [--json]
"""

import sys
from collections.abc import Callable
from functools import partial

from selectolax.lexbor import LexborHTMLParser
from turbohtml import parse

from command_line import run_benchmark
from gossamer.net import html
from pages import SamplePage, describe, read_documentation_pages
from timing import measure_cpu_s

ROUNDS = 12
CONTENT_TYPE = "text/html; charset=utf-8"

PEERS: dict[str, Callable[[SamplePage], object]] = {
    "parse": lambda page: parse(page.body),
    "lexbor": lambda page: LexborHTMLParser(page.body),
    "read": lambda page: html.read(page.body, page.url, CONTENT_TYPE),
    "main_text": lambda page: html.main_text(html.read(page.body, page.url, CONTENT_TYPE)),
}


def measure() -> dict[str, float]:
    """Return the ratios to the bare parses, and the milliseconds a page; nothing without the pages."""
    pages = read_documentation_pages()
    print(describe(pages), file=sys.stderr)
    if not pages:
        return {}
    best_s = {peer: [float("inf")] * len(pages) for peer in PEERS}
    for _ in range(ROUNDS):
        for place, page in enumerate(pages):
            for peer, act in PEERS.items():
                best_s[peer][place] = min(best_s[peer][place], measure_cpu_s(partial(act, page)))
    ms = {peer: 1000 * sum(times) / len(pages) for peer, times in best_s.items()}
    return {
        "html.read_vs_parse": ms["read"] / ms["parse"],
        "html.read_vs_lexbor": ms["read"] / ms["lexbor"],
        "html.main_text_vs_read": ms["main_text"] / ms["read"],
        **{f"html.{peer}_ms": each for peer, each in ms.items()},
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("reading", measure, "--json" in sys.argv[1:]))
