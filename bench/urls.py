"""Measure the cost of the canonical form of a URL, relative to only parsing it with ada-url.

The URLs are those of the links on real documentation pages (see pages.py), in three forms: absolute and mostly plain;
absolute and spelt so that a parse is needed; as written on the page, with the page as base. The peer of each is
`ada_url.URL` on the same list in the same run. The resolver is measured page by page, its construction included.
"""

import html
import re
import sys

from ada_url import URL

from command_line import run_benchmark
from gossamer.errors import BadUrl
from gossamer.net.url import canonical
from gossamer.net.url.resolve_links import LinkResolver
from pages import describe, read_documentation_pages
from timing import find_best_times

ROUNDS = 9
_HREF = re.compile(r'\bhref="([^"]*)"')

Page = tuple[str, list[str]]


def measure() -> dict[str, float]:
    """Return the ratios against ada-url and the microseconds a link; nothing if there are no pages."""
    sample = read_documentation_pages()
    if not sample:
        print(f"urls: skipped, {describe(sample)}", file=sys.stderr)
        return {}
    pages: list[Page] = [(page.url, extract_links(page.body, page.url)) for page in sample]
    links = [(link, base) for base, page_links in pages for link in page_links]
    plain = [URL(link, base).href for link, base in links]
    odd = [url.replace("http", "HTTP", 1) for url in plain]
    best_s = find_best_times(
        {
            "ada plain": lambda: [URL(url) for url in plain],
            "plain": lambda: [canonical(url) for url in plain],
            "ada odd": lambda: [URL(url) for url in odd],
            "odd": lambda: [canonical(url) for url in odd],
            "ada relative": lambda: [URL(link, base) for link, base in links],
            "relative": lambda: [canonical(link, base) for link, base in links],
            "resolver": lambda: resolve_all(pages),
        },
        ROUNDS,
    )
    return {
        "url.canonical_vs_ada": best_s["plain"] / best_s["ada plain"],
        "url.canonical_odd_vs_ada": best_s["odd"] / best_s["ada odd"],
        "url.canonical_relative_vs_ada": best_s["relative"] / best_s["ada relative"],
        "url.resolver_vs_ada": best_s["resolver"] / best_s["ada relative"],
        "url.resolver_us_per_link": best_s["resolver"] / len(links) * 1e6,
    }


def extract_links(body: bytes, base: str) -> list[str]:
    """Return the hrefs of a page that `canonical` accepts, as written."""
    written = map(html.unescape, _HREF.findall(body.decode("utf-8", "replace")))
    return [link for link in written if leads_to_a_page(link, base)]


def leads_to_a_page(link: str, base: str) -> bool:
    """Return whether `canonical` accepts a link; refusals cost an exception, which is not measured here."""
    try:
        canonical(link, base)
    except BadUrl:
        return False
    return True


def resolve_all(pages: list[Page]) -> None:
    """Resolve the links of every page, with one resolver for each page."""
    for base, links in pages:
        resolve = LinkResolver(base).resolve
        for link in links:
            resolve(link)


if __name__ == "__main__":
    sys.exit(run_benchmark("urls", measure, "--json" in sys.argv[1:]))
