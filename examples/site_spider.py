# ruff: noqa: T201
"""A site spider: every page of the start page's host, nearest first (SiteSpider, Web Search slides).

    python examples/site_spider.py https://www.example.org/ example.web

The results are in the web, the directory `example.web`. If you run the program again, it adds a second task;
`gossamer resume --web example.web` continues an interrupted one.
"""

from arguments import read_arguments
from lab_options import lab_options

import gossamer


def main(url: str, folder: str) -> None:
    """Crawl the host of a page up to depth 3, and print its pages."""
    task = gossamer.Task(seeds=[url], scope="host", depth=3, pages=200, **lab_options(url))
    with gossamer.open(folder) as web:
        for page in web.crawl(task):
            print(page.depth, page.url, page.title)
        print(web.store.counts()["pages"], "pages are in", folder)


if __name__ == "__main__":
    main(*read_arguments())
