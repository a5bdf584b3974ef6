"""Measure the cost of fields of a page, relative to reading it, to parsel and, if it is installed, to extruct.

The pages are documentation pages with the structured data of a shop in their head: four fields by CSS selector, and all JSON-LD,
microdata, RDFa and Open Graph. Peers alternate page by page; the least CPU time of several rounds counts for each page and peer.

    python bench/fields.py [--json]
"""

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from parsel import Selector

from command_line import run_benchmark
from gossamer.field_rule import FieldRule
from gossamer.fields.extract_fields import FieldExtractor
from gossamer.fields.structured_data import DataReader
from gossamer.net import html
from gossamer.net.html.parse_tree import parse_page
from pages import SamplePage, describe, read_documentation_pages
from timing import measure_cpu_s

ROUNDS = 5
MOST_PAGES = 100
SELECTORS = {"title": "title", "heading": "h1", "links": "p a", "code": "pre"}
HEAD = b"""<meta property="og:title" content="A lamp"><script type="application/ld+json">{"@context": "https://schema.org",
"@type": "Product", "name": "A lamp", "offers": {"@type": "Offer", "price": "9.50", "priceCurrency": "EUR"}}</script></head>"""
EXTRACTOR = FieldExtractor(
    [FieldRule(name=name, select=selector, many=name == "links") for name, selector in SELECTORS.items()]
)


def select_by_parsel(page: SamplePage) -> object:
    """Take the same four fields as a spider of Scrapy does."""
    selector = Selector(text=page.body.decode("utf-8", "replace"))
    return [
        [" ".join(one.xpath("string()").get("").split()) for one in selector.css(css)]
        for css in SELECTORS.values()
    ]


PEERS: dict[str, Callable[[SamplePage], object]] = {
    "read": lambda page: html.read(page.body, page.url, "text/html; charset=utf-8"),
    "select": lambda page: EXTRACTOR.extract(
        html.read(page.body, page.url, "text/html; charset=utf-8", most_links=0)
    ),
    "parsel": select_by_parsel,
    "data": lambda page: DataReader(parse_page(page.body)).read_all(),
}


def extract_by_extruct(page: SamplePage) -> object:
    """Read the structured data that extruct knows."""
    import extruct

    return extruct.extract(
        page.body,
        base_url=page.url,
        syntaxes=["json-ld", "microdata", "opengraph", "rdfa"],
    )


def measure() -> dict[str, float]:
    """Return the ratios, and the milliseconds a page; nothing without the pages."""
    peers = PEERS | ({"extruct": extract_by_extruct} if find_spec("extruct") else {})
    pages = [
        SamplePage(page.url, page.body.replace(b"</head>", HEAD, 1))
        for page in read_documentation_pages()[:MOST_PAGES]
    ]
    print(describe(pages), file=sys.stderr)
    if not pages:
        return {}
    best_s = {peer: [float("inf")] * len(pages) for peer in peers}
    for _ in range(ROUNDS):
        for place, page in enumerate(pages):
            for peer, act in peers.items():
                best_s[peer][place] = min(best_s[peer][place], measure_cpu_s(partial(act, page)))
    ms = {peer: 1000 * sum(times) / len(pages) for peer, times in best_s.items()}
    ratios = {
        "fields.select_vs_read": ms["select"] / ms["read"],
        "fields.select_vs_parsel": ms["select"] / ms["parsel"],
    }
    if "extruct" in ms:
        ratios["fields.data_vs_extruct"] = ms["data"] / ms["extruct"]
    return ratios | {f"fields.{peer}_ms": each for peer, each in ms.items()}


if __name__ == "__main__":
    sys.exit(run_benchmark("fields", measure, "--json" in sys.argv[1:]))
