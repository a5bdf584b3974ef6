"""The verb `gossamer concordance`: a word in its contexts, and the words that stand near it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gossamer.cli.context.word_options import (
    AsIs,
    Language,
    Pages,
    SelectionOptions,
    Since,
    Site,
    Theme,
    Until,
    open_selection,
)
from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.context.words.concordance.collocates import Collocate
    from gossamer.context.words.concordance.find_lines import Concordance, ContextLine, Matches
    from gossamer.context.words.concordance.token_pattern import MatchKind
    from gossamer.context.words.tokens.token_store import TokenStore

_LEAST_WIDTH = 60
_ADDRESS_WIDTH = 40


def concordance(
    phrase: Annotated[list[str], typer.Argument(help="A word or a phrase; * stands for any letters.")],
    query: Annotated[str, typer.Option("--query", help="Only pages that match this query.")] = "",
    site: Site = "",
    language: Language = None,
    since: Since = "",
    until: Until = "",
    pages: Pages = None,
    theme: Theme = "",
    lemmas: Annotated[bool, typer.Option("--lemmas", help="Find all forms of each word.")] = False,
    regex: Annotated[
        bool,
        typer.Option("--regex", help="Each part between spaces is a regular expression for a whole word."),
    ] = False,
    case: Annotated[bool, typer.Option("--case", help="Capital letters matter.")] = False,
    sort: Annotated[
        Literal["page", "left", "right"],
        typer.Option("--sort", help="Sort lines by page, or by the words to the left or to the right."),
    ] = "right",
    number: Annotated[
        int, typer.Option("--number", min=1, max=1_000_000, help="Lines to show, evenly chosen among all.")
    ] = 50,
    collocates: Annotated[
        bool, typer.Option("--collocates", help="List the words near it instead of its lines.")
    ] = False,
    span: Annotated[
        int, typer.Option("--span", min=1, max=50, help="For collocates: how many tokens to each side.")
    ] = 5,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the lines to a CSV file too.")
    ] = None,
    as_is: AsIs = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show a word or a phrase in its contexts, one line for each place, with the address of the page.

    The places come from the running text of the web; equal sentences count once. With --collocates: the words that stand near it, in the same sentence, by log Dice (14 at most; it does not depend on the size of the web) and G² (how sure it is that they stand there more often than elsewhere).

    \b
    gossamer concordance oil --web docs.web
    gossamer concordance 'crude oil' --sort left --web docs.web
    gossamer concordance 'oil pric*' --site example.org --csv prices.csv --web docs.web
    gossamer concordance go --lemmas --language en --web docs.web
    gossamer concordance '(oil|gas) price[sd]?' --regex --web docs.web
    gossamer concordance oil --collocates --json --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import check_file, write_columns
    from gossamer.context.words.concordance.find_lines import find_matches
    from gossamer.context.words.concordance.token_pattern import parse_pattern
    from gossamer.context.words.selection import select_sentences
    from gossamer.context.words.web_words import check_lemmas

    if lemmas and regex:
        raise BadInput("--lemmas finds forms by a dictionary and --regex by a pattern: choose one")
    if csv is not None:
        check_file("--csv", csv, ".csv")
    kind: MatchKind = "lemmas" if lemmas else "regex" if regex else "words"
    patterns = parse_pattern(" ".join(phrase), kind, case)
    selected = SelectionOptions(
        query, site, tuple(language or ()), since, until, pages, as_is=as_is, theme=theme
    )
    with open_selection(web, selected) as (store, selection):
        if lemmas:
            check_lemmas(sorted(selection.languages))
        matches = find_matches(store, patterns, select_sentences(store, selection))
        if collocates:
            return _show_collocates(store, matches, number, span, csv, json)
        found = _make_concordance(matches, number, sort)
    if csv is not None:
        write_columns(csv, lambda: _make_columns(found.lines))
    if json:
        print_json(found)
    else:
        _show_lines(found)
    return 0


def _make_concordance(
    matches: "Matches", number: int, sort: Literal["page", "left", "right"]
) -> "Concordance":
    from gossamer.context.words.concordance.find_lines import make_concordance

    return make_concordance(matches, number, sort)


def _make_columns(records: "Sequence[ContextLine] | Sequence[Collocate]") -> dict[str, list[Any]]:
    names = records[0].__struct_fields__ if records else ()
    return {name: [getattr(record, name) for record in records] for name in names}


def _show_lines(found: "Concordance") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.cli.output.wording import format_count
    from gossamer.printable_text import clean_lines
    from gossamer.search.answers.readable_address import decode_address

    places = format_count(found.matches, "place")
    console.print(
        f"{places} on {format_count(found.pages, 'page')}, {found.per_million:,.1f} per million words"
    )
    room = max(_LEAST_WIDTH, console.width - _ADDRESS_WIDTH - 4)
    longest = max((len(line.match) for line in found.lines), default=0)
    side = max(10, (room - min(longest, room // 3)) // 2)
    for line in found.lines:
        left, right = clean_lines(line.left)[-side:], clean_lines(line.right)[:side]
        match = clean_lines(line.match)
        space = " " * max(1, side + min(longest, room // 3) - len(match) - len(right) + 2)
        address = clean_text(decode_address(line.url), _ADDRESS_WIDTH)
        print_line(left.rjust(side), (match, "bold"), right + space, (address, "cyan"))


def _show_collocates(
    store: "TokenStore", matches: "Matches", number: int, span: int, csv: Path | None, json: bool
) -> int:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import write_columns
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.cli.output.wording import format_count
    from gossamer.context.words.concordance.collocates import find_collocates

    found = find_collocates(store, matches, number, span)
    if csv is not None:
        write_columns(csv, lambda: _make_columns(found))
    if json:
        print_json({"matches": matches.number, "span": span, "collocates": found})
        return 0
    rows = [
        (clean_text(one.word, 40), one.together, one.count, round(one.log_dice, 2), round(one.score, 1))
        for one in found
    ]
    title = f"Near {format_count(matches.number, 'place')}, within {span} tokens"
    print_table(title, ["word", "together", "times", "log Dice", "G²"], rows)
    return 0
