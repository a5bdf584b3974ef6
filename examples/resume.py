# ruff: noqa: T201
"""Leave a crawl and go on with it later: in this program or another one, after a clean end or a power cut.

    python examples/resume.py https://www.example.org/ example.web

The web knows what was found and what waits. It cannot know functions: a task that is resumed is known by its name
and brings its functions along.
"""

import sys

from trying import manners

import gossamer
from gossamer.records import Link


def task_for(url: str) -> gossamer.Task:
    """Return the task; the same for the first part and for the second."""
    task = gossamer.Task(seeds=[url], scope="any", name="in-two-parts", **manners(url))

    @task.link_filter
    def no_scripts(link: Link) -> bool:
        return "?" not in link.url

    return task


def main(url: str, folder: str) -> None:
    """Take five pages, leave, and come back for the rest."""
    with gossamer.open(folder) as web:
        for number, page in enumerate(web.crawl(task_for(url)), 1):
            print("first part:", page.url)
            if number == 5:
                break  # whoever leaves the loop stops the crawl
    with gossamer.open(folder) as web:
        note = web.task("in-two-parts")
        print(note.state, "because", note.reason)
        for page in web.resume(task_for(url)):
            print("second part:", page.url)
        print(web.task("in-two-parts").reason)


if __name__ == "__main__":
    main(*sys.argv[1:3])
