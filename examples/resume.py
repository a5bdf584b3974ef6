# ruff: noqa: T201
"""Stop a crawl and resume it later: in this program or another, after a clean stop or a power failure.

    python examples/resume.py https://www.example.org/ example.web

The web stores what was found and what is still to fetch. It cannot store functions: to resume a task, define it again
with the same name and the same functions.
"""

from arguments import read_arguments
from lab_options import lab_options

import gossamer
from gossamer.records import Link


def task_for(url: str) -> gossamer.Task:
    """Return the task for both parts."""
    task = gossamer.Task(seeds=[url], scope="any", name="in-two-parts", **lab_options(url))

    @task.link_filter
    def no_scripts(link: Link) -> bool:
        return "?" not in link.url

    return task


def main(url: str, folder: str) -> None:
    """Crawl five pages, stop, and resume for the rest."""
    with gossamer.open(folder) as web:
        for number, page in enumerate(web.crawl(task_for(url)), 1):
            print("first part:", page.url)
            if number == 5:
                break  # leaving the loop stops the crawl
    with gossamer.open(folder) as web:
        note = web.task("in-two-parts")
        print(note.state, "because", note.reason)
        for page in web.resume(task_for(url)):
            print("second part:", page.url)
        print(web.task("in-two-parts").reason)


if __name__ == "__main__":
    main(*read_arguments())
