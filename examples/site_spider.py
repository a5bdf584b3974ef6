# ruff: noqa: T201
"""A site spider: every page of the start page's host, the nearest first (SiteSpider of the lecture, seed 001).

    python examples/site_spider.py https://www.example.org/ example.web

What it finds is in the web, the directory `example.web`: run it again and it makes a second task beside the first,
or let `gossamer resume --web example.web` go on with one that was broken off.
"""

import sys

from trying import manners

import gossamer


def main(url: str, folder: str) -> None:
    """Crawl the host of a page, up to three links away, and say what is there."""
    task = gossamer.Task(seeds=[url], scope="host", depth=3, pages=200, **manners(url))
    with gossamer.open(folder) as web:
        for page in web.crawl(task):
            print(page.depth, page.url, page.title)
        print(web.store.counts()["pages"], "pages are in", folder)


if __name__ == "__main__":
    main(*sys.argv[1:3])
