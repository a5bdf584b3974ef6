"""`gossamer ask`: print the passages of a web that answer a question, with their sources."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, Wait, WebPaths, is_server, list_webs, parse_web

if TYPE_CHECKING:  # imported when the verb runs, so that --help is fast
    from rich.text import Text

    from gossamer.context.passages.passage_records import Passage, Passages

_FACT_CHARS = 200
_COPIES_SHOWN = 3
_INDENT = "   "


def ask(
    question: Annotated[list[str], typer.Argument(help="The question.", metavar="QUESTION…")],
    passages: Annotated[int, typer.Option("--passages", help="How many passages.", min=1, max=50)] = 5,
    words: Annotated[
        int, typer.Option("--words", help="The most words of a passage.", min=20, max=400)
    ] = 120,
    site: Annotated[str, typer.Option("--site", help="Only pages of this host or domain.")] = "",
    language: Annotated[
        str, typer.Option("--language", help="Only pages in this language, such as de.")
    ] = "",
    web: WebPaths = None,
    wait: Wait = 5.0,
    json: Json = False,
) -> int:
    """Cite the passages that answer a question.

    The passages are pieces of the pages, word for word, each with address, headings, date and offset. Nothing is generated.

    \b
    gossamer ask "how do I read a csv file" --web docs.web
    gossamer ask who composed the farewell symphony --passages 3 --words 60 --web docs.web
    gossamer ask "wer war Haydns Bruder" --language de --site example.org --web docs.web
    gossamer ask "default pool size" --json --web docs.web --web wiki.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.search.hold_stderr import hold_stderr

    options = {"passages": passages, "words": words, "site": site, "language": language}
    with hold_stderr():
        found = _ask_webs(list_webs(web), wait, " ".join(question), options)
    if json:
        print_json(found)
    else:
        show_passages(found)
    return 0


def _ask_webs(webs: list[str], wait_s: float, question: str, options: dict[str, Any]) -> "Passages":
    if len(webs) > 1 or is_server(webs[0]):
        from gossamer.broker.ask_webs import ask_webs
        from gossamer.broker.broker import open_many

        with open_many(webs, wait_s) as broker:
            return ask_webs(broker, question, **options)
    from gossamer.web import open_to_read

    with open_to_read(parse_web(webs[0])) as web:
        return web.ask(question, **options)


def show_passages(found: "Passages") -> None:
    """Print passages on a terminal."""
    from gossamer.cli.output.tables import clean_text, console
    from gossamer.cli.output.wording import format_count

    count = format_count(len(found.passages), "passage")
    console.print(f"{count} of {format_count(found.pages, 'page')} read, in {found.took_s * 1000:,.0f} ms")
    for note in found.notes:
        console.print(clean_text(note, _FACT_CHARS))
    for passage in found.passages:
        console.print()
        _show_passage(passage)


def _show_passage(passage: "Passage") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.search.answers.readable_address import decode_address

    title = clean_text(passage.title, _FACT_CHARS) or "(no title)"
    print_line(f"{passage.rank}. ", (title, "bold"))
    path = " › ".join(clean_text(one) for one in (*passage.headings, passage.part) if one)
    if path:
        print_line(_INDENT, (path, "dim"))
    for line in _mark_words(passage).split("\n"):
        console.print(" ", line)
    date = time.strftime("%Y-%m-%d", time.gmtime(passage.date_s))
    print_line(_INDENT, (clean_text(decode_address(passage.url), _FACT_CHARS), "cyan"))
    origin = clean_text(passage.origin) if passage.origin else ""
    facts = (clean_text(passage.language), date, f"offset {passage.offset:,}", origin)
    print_line(_INDENT, (" · ".join(filter(None, facts)), "dim"))
    for copy in passage.copies[:_COPIES_SHOWN]:
        print_line(_INDENT, (f"near copy: {clean_text(decode_address(copy.url), _FACT_CHARS)}", "dim"))
    if passage.copies[_COPIES_SHOWN:]:
        print_line(_INDENT, (f"near copies: {len(passage.copies) - _COPIES_SHOWN:,} more", "dim"))


def _mark_words(passage: "Passage") -> "Text":
    """Return a passage with the words of the question in bold, and without control characters."""
    from gossamer.cli.output.tables import style_line

    # Each character is replaced by one: the marks stay valid.
    shown = style_line(passage.text)
    for start, end in passage.marks:
        shown.stylize("bold", start, end)
    return shown
