# ruff: noqa: T201
"""A directory spider: only pages in the directory of the start page (DirectorySpider, Web Search slides).

python examples/directory_spider.py https://www.example.org/docs/index.html docs.web
"""

from arguments import read_arguments
from lab_options import lab_options

import gossamer


def main(url: str, folder: str) -> None:
    """Crawl a directory and print how many links led out of it."""
    task = gossamer.Task(seeds=[url], scope="directory", pages=200, name="directory", **lab_options(url))
    with gossamer.open(folder) as web:
        for page in web.crawl(task):
            print(page.url)
        counts = web.task("directory").counts
        print(counts.get("filtered:scope", 0), "links led out of the directory")


if __name__ == "__main__":
    main(*read_arguments())
