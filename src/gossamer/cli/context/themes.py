"""`gossamer themes`: what a collection is about, without help."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.context.themes.theme_records import Theme, Themes

_WORDS_SHOWN = 6
_URL_CHARS = 200


@with_run_options(crawls=False)
def themes(
    theme: Annotated[
        str | None, typer.Argument(help="A theme, by its number or its name.", metavar="THEME")
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            help="Find about so many themes, from 2 to 200. By default, as many as the size of the web suggests.",
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Read pages that are new or changed since.")
    ] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Forget the themes, and find them again.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write all pages with their themes to a CSV file too."),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show what a web is about, as themes: names, words, sizes and typical pages.

    The first call finds them, from the index and the links of the web. Afterwards `gossamer index` keeps them up to date. A web has
    from 10 to 200 themes, fewer if it has less than 50 pages. `gossamer serve` shows them as a map.

    \b
    gossamer themes --web docs.web
    gossamer themes 3 --web docs.web
    gossamer themes "chamber music" --web docs.web
    gossamer themes --number 40 --web docs.web
    gossamer themes --csv pages.csv --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import check_file, show_progress, write_columns
    from gossamer.context.themes.web_themes import (
        choose_theme,
        have_themes,
        list_page_themes,
        load_state,
        load_themes,
    )
    from gossamer.web import Web

    if csv is not None:
        check_file("--csv", csv, ".csv")
    with Web(web, create=False) as opened:
        if number is not None or refresh or anew or not have_themes(opened.folder):
            with show_progress("Reading") as progress:
                found = opened.find_themes(number, anew, on_progress=progress)
        else:
            found = load_themes(opened.folder)
        chosen = choose_theme(found, theme) if theme is not None else None
        if csv is not None:
            write_columns(csv, lambda: list_page_themes(opened.store, load_state(opened.folder), chosen))
    if json:
        print_json(chosen or found)
    elif chosen is not None:
        _show_theme(chosen, found)
    else:
        _show_themes(found, opened.name)
    return 0


def _show_themes(found: "Themes", name: str) -> None:
    """Print all themes as a table."""
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import format_count

    rows = [
        (theme.number, clean_text(theme.name), theme.size, _join_words(theme), _join_languages(theme))
        for theme in found.themes
    ]
    title = f"The themes of {name}: {format_count(found.pages, 'page')}"
    print_table(title, ("number", "theme", "pages", "words", "languages"), rows)
    if found.without:
        console.print(
            f"{format_count(found.without, 'page')} without a theme: they have no words, or their words and links disagree."
        )


def _show_theme(theme: "Theme", found: "Themes") -> None:
    """Print one theme with its typical pages."""
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.cli.output.wording import format_count

    names = {one.number: one.name for one in found.themes}
    print_line(f"{theme.number}. ", (clean_text(theme.name), "bold"))
    copies = (
        f", and {theme.copies:,} {'copy' if theme.copies == 1 else 'copies'} of them" if theme.copies else ""
    )
    console.print(f"{format_count(theme.size, 'page')}{copies}")
    facts = {
        "words": ", ".join(map(clean_text, theme.words)),
        "languages": ", ".join(
            f"{clean_text(code) or 'unknown'} {n:,}" for code, n in theme.languages.items()
        ),
        "sites": ", ".join(f"{clean_text(one)} {n:,}" for one, n in theme.sites.items()),
        "similar themes": ", ".join(
            f"{one.number}. {clean_text(names[one.number])}"
            for one in theme.neighbours
            if one.number in names
        ),
    }
    for label, value in facts.items():
        if value:
            print_line((f"{label}: ", "dim"), value)
    console.print()
    for page in theme.typical:
        print_line((clean_text(page.title) or "(no title)", "bold"))
        print_line("   ", (clean_text(page.url, _URL_CHARS), "cyan"))


def _join_words(theme: "Theme") -> str:
    from gossamer.cli.output.tables import clean_text

    return ", ".join(map(clean_text, theme.words[:_WORDS_SHOWN]))


def _join_languages(theme: "Theme") -> str:
    from gossamer.cli.output.tables import clean_text

    known = [clean_text(code) for code in theme.languages if code]
    return ", ".join(known[:3]) + (" …" if known[3:] else "")
