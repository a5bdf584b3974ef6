"""`gossamer topics new`: the new pages of a topic, as a list or a feed."""

import time
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.task_options import Json, WebPath


def new_pages(
    name: Annotated[str, typer.Argument(help="Name of the topic.")],
    since: Annotated[
        str, typer.Option("--since", help="Pages first fetched in this time: 12h, 7d, 4w.")
    ] = "7d",
    relevant: Annotated[
        float, typer.Option("--relevant", help="A page counts from this probability on.", min=0, max=1)
    ] = 0.5,
    atom: Annotated[
        Path | None, typer.Option("--atom", help="Also write the pages to this file, as an Atom feed.")
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """List the pages of a topic that are new in the web; run it after each crawl to be told of them.

    \b
    gossamer topics new haydn --web docs.web
    gossamer topics new haydn --since 1d --atom haydn.atom --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.context.topic_news import find_new_pages, parse_age, render_topic_feed
    from gossamer.context.write_feed import write_feed_file
    from gossamer.store.model_folder import topic_model
    from gossamer.web import open_to_read

    age_s = parse_age(since)
    with open_to_read(web) as opened:
        found = find_new_pages(opened, topic_model(web, name), time.time() - age_s, relevant)
        about = opened.name
    if atom is not None:
        write_feed_file(atom, render_topic_feed(name, found, about))
    if json:
        for page in found:
            print_json(page)
        return 0
    rows = [
        (
            time.strftime("%Y-%m-%d %H:%M", time.gmtime(page.found_s)),
            f"{page.relevance:.2f}",
            clean_text(page.title, 60),
            clean_text(page.url, 90),
        )
        for page in found
    ]
    print_table(f"New pages about {name}", ["found (UTC)", "relevance", "title", "page"], rows)
    return 0
