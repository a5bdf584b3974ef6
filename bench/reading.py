"""What reading a page costs, against the bare parse of the same page by the same parser.

Peers take turns page by page; of each page and peer the best of several rounds counts, and the figure is the
ratio of the sums. The bare parse is given text, as its users do who decode first.

    python bench/reading.py [--json]
"""

import json
import sys
import time
from collections.abc import Callable

from gossamer.net import html
from gossamer.net.tree import Tree
from pages import SamplePage, describe, documentation_pages

ROUNDS = 12
CONTENT_TYPE = "text/html; charset=utf-8"

PEERS: dict[str, Callable[[SamplePage, str], object]] = {
    "parse": lambda _, text: Tree(text),
    "read": lambda page, _: html.read(page.body, page.url, CONTENT_TYPE),
    "read_str": lambda page, text: html.read(text, page.url),
    "read_and_text": lambda page, _: html.read(page.body, page.url, CONTENT_TYPE).text,
}


def measure() -> dict[str, float]:
    """Return the ratios to the bare parse, and its milliseconds a page; nothing without the pages."""
    pages = documentation_pages()
    print(describe(pages), file=sys.stderr)
    if not pages:
        return {}
    texts = [page.body.decode() for page in pages]
    best_s = {peer: [float("inf")] * len(pages) for peer in PEERS}
    for _ in range(ROUNDS):
        for place, (page, text) in enumerate(zip(pages, texts, strict=True)):
            for peer, act in PEERS.items():
                began_s = time.perf_counter()
                act(page, text)
                best_s[peer][place] = min(best_s[peer][place], time.perf_counter() - began_s)
    parse_s = sum(best_s["parse"])
    return {
        "html.read_vs_parse": sum(best_s["read"]) / parse_s,
        "html.read_str_vs_parse": sum(best_s["read_str"]) / parse_s,
        "html.read_and_text_vs_parse": sum(best_s["read_and_text"]) / parse_s,
        "html.parse_ms": 1000 * parse_s / len(pages),
    }


def main() -> None:
    """Print the figures."""
    figures = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name}  {figure:.2f}")


if __name__ == "__main__":
    main()
