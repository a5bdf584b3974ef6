# ruff: noqa: T201
"""Two tasks at once in one web, each with its own order and limits, sharing the crawl by weight.

    python examples/two_tasks.py https://www.example.org/ example.web

One is breadth-first, the other depth-first. They share the pauses between requests to a host, and neither fetches a
page that the other fetched within the last hour.
"""

from arguments import read_arguments
from lab_options import lab_options

import gossamer


def main(url: str, folder: str) -> None:
    """Crawl twice from the same page, and compare the results."""
    usual = {"seeds": [url], "scope": "any", "pages": 30, "max_age_s": 3600.0, **lab_options(url)}
    wide = gossamer.Task(**usual, name="wide", order="breadth", weight=2.0)
    deep = gossamer.Task(**usual, name="deep", order="depth")
    with gossamer.open(folder) as web:
        web.run([wide, deep])
        for task in web.tasks():
            fetched, known = task.counts.get("downloaded", 0), task.counts.get("cache hits", 0)
            print(f"{task.name}: {fetched} fetched, {known} known already, ended: {task.reason}")


if __name__ == "__main__":
    main(*read_arguments())
