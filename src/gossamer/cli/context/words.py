"""The verb `gossamer words`: frequency lists, and keywords of a selection."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gossamer.cli.context.word_options import (
    AsIs,
    Best,
    Language,
    Pages,
    SelectionOptions,
    Since,
    Site,
    Theme,
    Until,
    open_selection,
)
from gossamer.cli.task_options import Json, WebPath, parse_web

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.context.words.frequency_list import FrequencyList, KeywordList, WordRow

REST = "rest"
_FORMS_SHOWN = 5


def words(
    query: Annotated[
        list[str] | None, typer.Argument(help="Only pages that match this query.", show_default=False)
    ] = None,
    site: Site = "",
    language: Language = None,
    since: Since = "",
    until: Until = "",
    pages: Pages = None,
    theme: Theme = "",
    best: Best = 0,
    lemmas: Annotated[
        bool,
        typer.Option("--lemmas/--forms", help="Count lemmas (go, goes, went as go), or forms as written."),
    ] = False,
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="rest|WEB", help="Compare with the rest of this web, or with another web."
        ),
    ] = REST,
    measure: Annotated[
        Literal["log-likelihood", "log-ratio", "simple-maths"],
        typer.Option("--measure", help="Rank keywords by this measure."),
    ] = "log-likelihood",
    least: Annotated[int, typer.Option("--least", min=1, help="Leave out words that occur less often.")] = 3,
    number: Annotated[int, typer.Option("--number", min=1, max=1_000_000, help="Words to list.")] = 50,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the list to a CSV file too.")
    ] = None,
    as_is: AsIs = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """List the words of a web, or the words that are typical of a part of it.

    Without a selection: the most frequent words of all running text, with their number, their rate per million words, the pages that have them, and their dispersion (0: spread evenly over the pages, 1: on one page). With a query, a site, a theme, a time or a list of pages: the keywords, which the selection uses more than the rest of the web, and less. G² (log-likelihood) says how sure a difference is, the log ratio how large: 1 is twice as often. --language restricts both sides. Equal sentences count once, so that what every page repeats does not count.

    The first call reads all pages, which takes about twice as long as `gossamer index`; later calls read what is new.

    \b
    gossamer words --web docs.web
    gossamer words Bundeskanzler --language de --web docs.web
    gossamer words --site example.org --lemmas --measure log-ratio --least 10 --web docs.web
    gossamer words --theme "chamber music" --web docs.web
    gossamer words --since 7d --csv week.csv --web docs.web
    gossamer words --against other.web --language en --json --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import check_file, write_columns
    from gossamer.context.words.frequency_list import ListOptions, make_frequency_list, make_keyword_list
    from gossamer.context.words.web_words import check_lemmas, open_words
    from gossamer.web import check_web

    if csv is not None:
        check_file("--csv", csv, ".csv")
    other = None if against == REST else parse_web(against)
    if other is not None:
        check_web(other)
    selected = SelectionOptions(
        " ".join(query or ()), site, tuple(language or ()), since, until, pages, best, as_is, theme
    )
    options = ListOptions("lemmas" if lemmas else "forms", least, number, measure)
    with open_selection(web, selected) as (store, selection):
        if lemmas:
            check_lemmas(sorted(selection.languages))
        if selection.is_part or other is not None:
            elsewhere = open_words(other) if other is not None else None
            found: FrequencyList | KeywordList = make_keyword_list(store, selection, options, elsewhere)
        else:
            found = make_frequency_list(store, selection, options)
    if csv is not None:
        write_columns(csv, lambda: _make_columns(found))
    if json:
        print_json(found)
    else:
        _show_list(found, other)
    return 0


def _make_columns(found: "FrequencyList | KeywordList") -> Mapping[str, Sequence[Any]]:
    """Return a list as columns; keywords that are used less come after those that are used more."""
    from gossamer.context.words.frequency_list import KeywordList, KeywordRow, WordRow

    is_keywords = isinstance(found, KeywordList)
    rows: Sequence[WordRow] = (*found.rows, *found.less) if isinstance(found, KeywordList) else found.rows
    fields = KeywordRow.__struct_fields__ if is_keywords else WordRow.__struct_fields__
    names = sorted(fields, key=lambda name: name == "forms")
    return {
        name: [_join_forms(row) if name == "forms" else getattr(row, name) for row in rows] for name in names
    }


def _join_forms(row: "WordRow", most: int | None = None) -> str:
    return ", ".join(f"{form} {count}" for form, count in row.forms[:most])


def _show_list(found: "FrequencyList | KeywordList", other: Path | None) -> None:
    from gossamer.cli.output.tables import console, print_table
    from gossamer.cli.output.wording import format_count
    from gossamer.context.words.frequency_list import KeywordList

    several = len({row.language for row in found.rows}) > 1
    size = f"{format_count(found.words, 'word')} in {format_count(found.sentences, 'sentence')} of {format_count(found.pages, 'page')}"
    if isinstance(found, KeywordList):
        console.print(
            f"{size}, against {format_count(found.words_elsewhere, 'word')} {'of another web' if other else 'of the rest'}"
        )
        for title, rows in (("Used more", found.rows), ("Used less", found.less)):
            columns, cells = _make_cells(rows, several)
            extra = ["elsewhere", "per million", "G²", "log ratio"]
            more = [
                [
                    row.count_elsewhere,
                    round(row.per_million_elsewhere, 1),
                    round(row.score, 1),
                    round(row.log_ratio, 2),
                ]
                for row in rows
            ]
            print_table(title, [*columns, *extra], [[*a, *b] for a, b in zip(cells, more, strict=True)])
        return
    console.print(f"{size}, {format_count(found.distinct, 'different word')}")
    print_table("Words", *_make_cells(found.rows, several))


def _make_cells(rows: "Sequence[WordRow]", several: bool) -> tuple[list[str], list[list[object]]]:
    """Return the columns and cells that all lists have; the language only if there are several."""
    from gossamer.cli.output.tables import clean_text

    has_forms = any(len(row.forms) > 1 for row in rows)
    columns = ["word", *(["language"] if several else []), *(["forms"] if has_forms else [])]
    cells = [
        [
            clean_text(row.word, 40),
            *([row.language] if several else []),
            *([clean_text(_join_forms(row, _FORMS_SHOWN), 80)] if has_forms else []),
            row.count,
            round(row.per_million, 1),
            row.pages,
            round(row.dispersion, 2),
        ]
        for row in rows
    ]
    return [*columns, "times", "per million", "pages", "dispersion"], cells
