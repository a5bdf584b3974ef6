"""`gossamer search`: search the index of a web, and print the answers."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.task_options import Json, Wait, WebPaths, is_server, list_webs, parse_web

if TYPE_CHECKING:  # imported when the verb runs, so that --help is fast
    from rich.text import Text

    from gossamer.broker.broker import Broker
    from gossamer.search.answers.answer_records import Answer, Answers
    from gossamer.search.answers.snippets import Snippet
    from gossamer.search.clusters.cluster_records import GroupedAnswers
    from gossamer.search.ranking.explain_score import ScorePart
    from gossamer.web import Web

_COUNTS_SHOWN = 5
_COPIES_SHOWN = 3
_PARTS_SHOWN = 8
_URL_CHARS = 200


def search(
    query: Annotated[list[str], typer.Argument(help="The query.", metavar="QUERY…")],
    page: Annotated[int, typer.Option("--page", help="Page of answers.", min=1)] = 1,
    size: Annotated[int, typer.Option("--size", help="Answers on a page.", min=1, max=100)] = 10,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            help="Language of the query's words, such as de; by default the languages of the pages.",
        ),
    ] = "",
    ranking: Annotated[
        str,
        typer.Option(
            "--ranking", help="bm25, or cosine: by the angle between the term vectors of query and page."
        ),
    ] = "bm25",
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Rank also by typical words of the best pages.")
    ] = False,
    related: Annotated[
        bool,
        typer.Option(
            "--related/--no-related",
            help="Show words typical of the answers, and names of links around them.",
        ),
    ] = True,
    copies: Annotated[bool, typer.Option("--copies", help="Show near copies as separate answers.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show the parts of each score.")] = False,
    clusters: Annotated[
        bool,
        typer.Option("--clusters", help="Show the best thousand answers in groups that share words."),
    ] = False,
    links: Annotated[
        bool, typer.Option("--links", help="Show where the links of the best answers lead, by theme or site.")
    ] = False,
    web: WebPaths = None,
    wait: Wait = 5.0,
    json: Json = False,
) -> int:
    """Search what was crawled.

    Words, "phrases", -not, AND, OR, NOT, parentheses, prefix*, fuzzy~, and title: site: host: url: language: type: after: before: depth: mark: link: related: are understood.

    \b
    gossamer search haydn symphonies --web docs.web
    gossamer search '"brother of haydn" -mozart site:example.org' --web docs.web
    gossamer search 'title:komponist language:de after:2020-05' --page 2 --web docs.web
    gossamer search link:https://example.org/ --web docs.web
    gossamer search haydn --web docs.web --web music.web --web https://search.example/
    gossamer search jaguar --clusters --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.search.hold_stderr import hold_stderr

    how: dict[str, Any] = {"language": language, "ranking": ranking, "feedback": feedback, "fold": not copies}
    with _open_webs(list_webs(web), wait) as opened, hold_stderr():
        if links:
            from gossamer.cli.search.show_links import show_links

            return show_links(opened, " ".join(query), json)
        if clusters:
            return _print_groups(opened.cluster_answers(" ".join(query), **how), json)
        found = opened.search(" ".join(query), page=page, size=size, related=related, explain=explain, **how)
    if json:
        print_json(found)
    else:
        show_answers(found)
    return 0


def _print_groups(found: "GroupedAnswers", json: bool) -> int:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.search.show_groups import show_groups

    if json:
        print_json(found)
    else:
        show_groups(found)
    return 0


def _open_webs(webs: list[str], wait_s: float) -> "Web | Broker":
    """Open one web, or several that are searched as one."""
    if len(webs) > 1 or is_server(webs[0]):
        from gossamer.broker.broker import open_many

        return open_many(webs, wait_s)
    from gossamer.web import open_to_read

    return open_to_read(parse_web(webs[0]))


def show_answers(found: "Answers") -> None:
    """Print answers on a terminal."""
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.cli.output.wording import format_count

    console.print(f"{format_count(found.total, 'page')} in {found.took_s * 1000:,.0f} ms")
    for note in found.notes:
        console.print(clean_text(note, 200))
    if found.suggestion:
        console.print(f"Did you mean:  {clean_text(found.suggestion, 200)}")
    titles = {one.name: one.title for one in found.origins or ()}
    for answer in found.answers:
        console.print()
        _show_answer(answer, titles)
    console.print()
    if found.related_terms:
        words = [clean_text(term.word) for term in found.related_terms]
        print_line(("related words:", "dim"), f" {', '.join(words)}")
    if found.link_names:
        names = [clean_text(one.name) for one in found.link_names]
        print_line(("links around them:", "dim"), f" {', '.join(names)}")
    for name, counts in found.counts.items():
        if len(counts) > 1:
            most = list(counts.items())[:_COUNTS_SHOWN]
            values = [f"{clean_text(value)} {number:,}" for value, number in most]
            print_line((f"{name}:", "dim"), f" {', '.join(values)}")
    if found.more:
        print_line((f"--page {found.page + 1} shows more.", "dim"))


def _show_answer(answer: "Answer", titles: Mapping[str, str]) -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.search.answers.readable_address import decode_address

    title = clean_text(answer.title) or "(no title)"
    print_line(f"{answer.rank}. ", (title, "bold"))
    print_line("   ", (clean_text(decode_address(answer.url), _URL_CHARS), "cyan"))
    if answer.snippet.text.strip():
        console.print("  ", _mark_words(answer.snippet))
    date = time.strftime("%Y-%m-%d", time.gmtime(answer.date_s))
    origin = clean_text(titles.get(answer.origin, answer.origin)) if answer.origin else ""
    facts = " · ".join(filter(None, (clean_text(answer.language), clean_text(answer.type), date, origin)))
    print_line("   ", (facts, "dim"))
    if answer.link_texts:
        print_line("   ", (f"its links say: {', '.join(map(clean_text, answer.link_texts))}", "dim"))
    if answer.similar:
        similar = f"similar by text {answer.similar.text:.2f}, by links {answer.similar.links:.2f}"
        print_line("   ", (similar, "dim"))
    for copy in answer.copies[:_COPIES_SHOWN]:
        print_line("   ", (f"near copy: {clean_text(decode_address(copy.url), _URL_CHARS)}", "dim"))
    if answer.copies[_COPIES_SHOWN:]:
        print_line("   ", (f"near copies: {len(answer.copies) - _COPIES_SHOWN:,} more", "dim"))
    if answer.parts:
        parts = [_format_part(part) for part in answer.parts]
        print_line("   ", (f"score {answer.score:.2f}: {', '.join(parts[:_PARTS_SHOWN])}", "dim"))


def _format_part(part: "ScorePart") -> str:
    from gossamer.cli.output.tables import clean_text

    where = f"{clean_text(part.word)} in {part.field}" if part.word else part.field
    return f"{where} {part.score:.2f}"


def _mark_words(snippet: "Snippet") -> "Text":
    """Return a snippet with its words in bold, and without control characters."""
    from gossamer.cli.output.tables import style_line

    # Each character is replaced by one: the marks stay valid.
    shown = style_line(snippet.text.replace("\n", " "))
    for start, end in snippet.marks:
        shown.stylize("bold", start, end)
    return shown
