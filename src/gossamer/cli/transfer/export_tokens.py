"""The verb `gossamer export` for corpus tools: vertical text, or a folder of plain texts."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec


class TokenExport(msgspec.Struct, frozen=True):
    """Which pages to write, and how."""

    form: Literal["vertical", "antconc"]
    languages: Sequence[str]
    keep: Callable[[str], bool]
    glue: bool
    json: bool


def export_tokens(web: Path, out: Path, options: TokenExport) -> int:
    """Write the running text of a web for corpus tools and print a summary."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count
    from gossamer.context.words.export.page_texts import iterate_pages
    from gossamer.context.words.export.text_folder import write_texts
    from gossamer.context.words.export.vertical_file import write_vertical
    from gossamer.context.words.selection import Selection
    from gossamer.context.words.web_words import is_current, open_words, refresh_words
    from gossamer.store.export.export_web import create_atomically
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.language_codes import resolve_languages
    from gossamer.web import open_to_read

    is_folder = options.form == "antconc"
    with open_to_read(web) as opened, create_atomically(out, folder=is_folder) as new:
        codes = (
            resolve_languages(options.languages, language_model(opened.folder)) if options.languages else ()
        )
        if not is_current(opened.store, opened.folder):
            with show_progress("Reading words", with_time_left=True) as progress:
                refresh_words(opened.store, opened.folder, progress)
        with show_progress("Writing pages", with_time_left=True) as progress:
            selection = Selection(languages=frozenset(codes))
            tokens = open_words(opened.folder)
            pages = iterate_pages(tokens, opened.store, selection, options.keep, progress)
            counts = write_texts(pages, new) if is_folder else write_vertical(pages, new, options.glue)
    if options.json:
        print_json({"path": str(out), "counts": msgspec.to_builtins(counts)})
    else:
        console.print(
            f"{out}: {format_count(counts.tokens, 'token')} in {format_count(counts.sentences, 'sentence')} "
            f"of {format_count(counts.pages, 'page')}"
        )
    return 0
