"""`gossamer hot`: the words and stories that rise in a web, by day or week."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.context.hot.hot_records import HotReport, HotStory
    from gossamer.context.hot.stored_texts import StoredTexts
    from gossamer.web import Web

_PAGES_PRINTED = 3


@with_run_options(crawls=False)
def hot(
    since: Annotated[
        str,
        typer.Option(
            "--since", help="Stories of the last days: 7d, 4w. [default: the last day or week with text]"
        ),
    ] = "",
    until: Annotated[
        str, typer.Option("--until", help="The last day, as 2026-05-31. [default: the last with text]")
    ] = "",
    by: Annotated[str, typer.Option("--by", help="Compare days or weeks: day or week.")] = "day",
    site: Annotated[str, typer.Option("--site", help="Only texts of this site.")] = "",
    language: Annotated[
        str, typer.Option("--language", help="Only texts in this language, such as de.")
    ] = "",
    theme: Annotated[
        str, typer.Option("--theme", help="Only texts of pages of this theme, by its number or name.")
    ] = "",
    most: Annotated[int, typer.Option("--most", help="How many stories at most.", min=1, max=100)] = 10,
    atom: Annotated[
        Path | None, typer.Option("--atom", help="Also write the stories to this file, as an Atom feed.")
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh/--no-refresh", help="Read new pages of the web before.")
    ] = True,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show what is hot: words and names that rise in the texts of a web, grouped into stories.

    A text has the date that its page states, else that of its server, else that of the first visit. Sentences that were
    read before do not count: copies, templates and recrawls.

    \b
    gossamer hot --web news.web
    gossamer hot --since 7d --site example.org --web news.web
    gossamer hot --theme 3 --web news.web
    gossamer hot --by week --language de --atom hot.atom --web news.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.context.hot.ask_hot import ask_hot, choose_theme_pages, make_question
    from gossamer.context.hot.refresh_texts import ReadableWeb
    from gossamer.context.hot.tell_stories import render_story_feed
    from gossamer.context.write_feed import write_feed_file
    from gossamer.web import open_to_read

    question = make_question(since, until, by, site, language, most)
    with open_to_read(web) as opened:
        question = choose_theme_pages(question, opened.folder, theme)
        texts = _read_texts(opened, refresh)
        report = ask_hot(ReadableWeb(opened.store, opened.folder), texts, question)
        name = opened.name
    if atom is not None:
        write_feed_file(atom, render_story_feed(report, name))
    if json:
        print_json(report)
    else:
        _print_report(report)
    return 0


def _read_texts(web: "Web", refresh: bool) -> "StoredTexts":
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.context.hot.refresh_texts import ReadableWeb, refresh_texts
    from gossamer.context.hot.stored_texts import open_texts

    if not refresh:
        return open_texts(web.folder)
    pages = max(web.store.counts()["pages"], 1)
    with show_progress("Reading new pages", with_time_left=True) as update:
        texts, _ = refresh_texts(
            ReadableWeb(web.store, web.folder),
            lambda done: update((done.texts + done.copies + done.unchanged + done.missing) / pages),
        )
    return texts


def _print_report(report: "HotReport") -> None:
    from gossamer.cli.output.tables import print_line
    from gossamer.context.hot.tell_stories import describe_texts

    print_line((describe_texts(report), "dim"))
    for story in report.stories:
        _print_story(story, report)
    if not report.stories:
        print_line("No story is hot: no words rise together.")


def _print_story(story: "HotStory", report: "HotReport") -> None:
    from gossamer.cli.output.tables import clean_text, print_line
    from gossamer.cli.output.wording import format_count
    from gossamer.context.hot.tell_stories import draw_sparkline

    days = story.began if story.began == story.latest else f"{story.began} to {story.latest}"
    print_line("")
    print_line((clean_text(", ".join(story.words), 200), "bold"))
    curve = f"{draw_sparkline(story.curve)}  {report.curve_since} to {report.until}"
    print_line((f"  {curve} · score {story.score:g} · {format_count(story.texts, 'text')} of {days}", "dim"))
    for page in story.pages[:_PAGES_PRINTED]:
        print_line(f"  {clean_text(page.title or page.url, 100)}")
        print_line((f"    {page.date} · {clean_text(page.url, 120)}", "dim"))
