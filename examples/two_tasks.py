# ruff: noqa: T201
"""Two tasks at once over one web: each with its own order and limits, served fairly, by weight.

    python examples/two_tasks.py https://www.example.org/ example.web

One goes wide and one goes deep. They share the hosts' pauses, and what the first has fetched within the last hour the
second does not fetch again.
"""

import sys

from trying import manners

import gossamer


def main(url: str, folder: str) -> None:
    """Crawl twice from the same page, and compare."""
    usual = {"seeds": [url], "scope": "any", "pages": 30, "max_age_s": 3600.0, **manners(url)}
    wide = gossamer.Task(**usual, name="wide", order="breadth", weight=2.0)
    deep = gossamer.Task(**usual, name="deep", order="depth")
    with gossamer.open(folder) as web:
        web.run([wide, deep])
        for task in web.tasks():
            fetched, known = task.counts.get("downloaded", 0), task.counts.get("cache hits", 0)
            print(f"{task.name}: {fetched} fetched, {known} known already, ended: {task.reason}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
