"""Options that `gossamer words` and `gossamer concordance` share, and the token store that they open."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verbs run, so that help is fast
    from gossamer.context.words.selection import Selection
    from gossamer.context.words.tokens.token_store import TokenStore
    from gossamer.web import Web

Site = Annotated[str, typer.Option("--site", help="Only pages of this site, domain or host.")]
Language = Annotated[
    list[str] | None,
    typer.Option("--language", help="Only sentences in these languages, such as da,nb."),
]
Since = Annotated[
    str, typer.Option("--since", help="Only pages of this date or later: 2026, 2026-05, 2026-05-31, or 7d.")
]
Until = Annotated[str, typer.Option("--until", help="Only pages before this date.")]
Pages = Annotated[
    Path | None,
    typer.Option("--pages", metavar="FILE", help="Only pages whose addresses this file lists, one a line."),
]
Theme = Annotated[
    str,
    typer.Option(
        "--theme", help="Only pages of this theme, by its number or name: `gossamer themes` lists them."
    ),
]
Best = Annotated[
    int, typer.Option("--best", min=0, help="Only the best answers to the query, this many; default: all.")
]
AsIs = Annotated[
    bool, typer.Option("--as-is", help="Count what was read before; do not read new and changed pages first.")
]


class SelectionOptions(msgspec.Struct, frozen=True):
    """The selection as it was typed."""

    query: str = ""
    site: str = ""
    language: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    pages: Path | None = None
    best: int = 0
    as_is: bool = False
    theme: str = ""


@contextmanager
def open_selection(web: Path, options: SelectionOptions) -> "Iterator[tuple[TokenStore, Selection]]":
    """Open a web, bring its token store up to date, and resolve the selection."""
    from gossamer.cli.input_files import read_bytes
    from gossamer.context.themes.web_themes import list_theme_pages
    from gossamer.context.words.web_words import WordsRequest, find_listed_pages, make_selection, open_words
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.language_codes import resolve_languages
    from gossamer.web import open_to_read

    listed = read_bytes(options.pages).decode("utf-8", "replace").splitlines() if options.pages else None
    with open_to_read(web) as opened:
        languages = (
            resolve_languages(options.language, language_model(opened.folder)) if options.language else ()
        )
        request = WordsRequest(
            options.query, options.site, options.since, options.until, languages, options.theme
        )
        if options.best and not options.query:
            raise BadInput("--best chooses among the answers to a query: give one")

        def find_pages(query: str) -> object:
            return opened.pages_found(query, options.best) if options.best else opened.pages_matching(query)

        ids = find_listed_pages(opened.store, listed) if listed is not None else None

        def find_theme(called: str) -> object:
            return list_theme_pages(opened.folder, called)

        selection = make_selection(request, find_pages, ids, None, find_theme)  # type: ignore[arg-type]  # a list or an array
        if not options.as_is:
            refresh_if_needed(opened)
        yield open_words(opened.folder), selection


def refresh_if_needed(opened: "Web") -> None:
    """Read new and changed pages, unless no page was visited since the last time."""
    import os

    from gossamer.cli.output.result_tables import show_progress
    from gossamer.context.words.web_words import is_current, refresh_words

    if is_current(opened.store, opened.folder):
        return
    if not os.access(opened.folder, os.W_OK):
        raise BadInput(f"no permission to write in {opened.folder}: --as-is counts what was read before")
    with show_progress("Reading words", with_time_left=True) as progress:
        refresh_words(opened.store, opened.folder, progress)
