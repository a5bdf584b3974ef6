"""Pages about words: a frequency list or keywords of a selection, and each word in its contexts."""

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.words.concordance.find_lines import LineOrder
from gossamer.context.words.frequency_list import FrequencyList, KeywordList, KeywordRow, WordRow
from gossamer.errors import BadInput
from gossamer.ui.context.words_request import (
    WordsPageRequest,
    list_languages,
    list_words,
    read_words_request,
    show_word,
)
from gossamer.ui.page_context import get_context

_WORDS_SHOWN = 100
_LINES_SHOWN = 50
_SIDE_CHARACTERS = 80
_ORDERS: tuple[LineOrder, ...] = ("right", "left", "page")
_WRONG_USE = 400


def show_words(request: Request) -> Response:
    """Show the words of the collection, or what is typical of a selection."""
    context, asked = get_context(request), read_words_request(request.query_params)
    problem, found, languages = "", None, dict[str, int]()
    with context.borrow_web() as web:
        try:
            languages = list_languages(web)
            found = list_words(web, asked, _WORDS_SHOWN)
        except BadInput as error:
            problem = str(error)
    return context.render_page(
        request,
        "context/words.html",
        _WRONG_USE if problem and languages else 200,
        asked=asked,
        found=found,
        problem=problem,
        languages=languages,
        parts=_list_parts(found, asked),
        has_keywords=isinstance(found, KeywordList),
    )


def show_concordance(request: Request) -> Response:
    """Show the places of a word, and the words that stand near it."""
    context, asked = get_context(request), read_words_request(request.query_params)
    word = request.path_params["word"]
    wanted = request.query_params.get("sort", "")
    order: LineOrder = next((one for one in _ORDERS if one == wanted), "right")
    with context.borrow_web() as web:
        found, near = show_word(web, asked, word, order, _LINES_SHOWN)
    most = max((one.log_dice for one in near), default=1.0)
    return context.render_page(
        request,
        "context/words_lines.html",
        asked=asked,
        word=word,
        order=order,
        orders={one: asked.make_address(_make_path(word), sort=one) for one in _ORDERS},
        found=found,
        lines=[(_cut_left(line.left), line.match, _cut_right(line.right), line) for line in found.lines],
        near=[
            (
                one,
                round(100 * max(0.0, one.log_dice) / max(most, 0.1)),
                asked.make_address(_make_path(one.word)),
            )
            for one in near
        ],
    )


def _list_parts(found: "FrequencyList | KeywordList | None", asked: WordsPageRequest) -> list[dict[str, Any]]:
    """Return the tables of a page: title, rows, and for each row the address of its places and the length of its bar."""
    if found is None:
        return []
    tables: list[tuple[str, tuple[Any, ...]]] = [("Words", found.rows)]
    if isinstance(found, KeywordList):
        tables = [("Used more here", found.rows), ("Used less here", found.less)]
    several = len({row.language for _, rows in tables for row in rows}) > 1
    return [
        {"title": title, "rows": [_make_row(row, rows[0], asked, several) for row in rows]}
        for title, rows in tables
    ]


def _make_row(
    row: WordRow, first: WordRow, asked: WordsPageRequest, several: bool
) -> tuple[WordRow, str, int]:
    """Return a row, the address of its places, and its bar; the same letters may be words of several languages."""
    language = {"language": row.language} if several else {}
    return row, asked.make_address(_make_path(row.word), **language), _measure_bar(row, first, asked)


def _measure_bar(row: WordRow, first: WordRow, asked: WordsPageRequest) -> int:
    """Return the length of a bar in percent of that of the first row."""
    if isinstance(row, KeywordRow) and isinstance(first, KeywordRow):
        values = {"log-ratio": "log_ratio", "simple-maths": "simple_maths"}
        name = values.get(asked.measure, "score")
        value, most = (abs(getattr(one, name)) for one in (row, first))
    else:
        value, most = row.count, first.count
    return min(100, round(100 * value / most)) if most else 0


def _make_path(word: str) -> str:
    return f"/words/{quote(word, safe='')}"


def _cut_left(text: str) -> str:
    if len(text) <= _SIDE_CHARACTERS:
        return text
    first, _, rest = text[-_SIDE_CHARACTERS:].partition(" ")
    return f"… {rest or first}"


def _cut_right(text: str) -> str:
    if len(text) <= _SIDE_CHARACTERS:
        return text
    rest, _, last = text[:_SIDE_CHARACTERS].rpartition(" ")
    return f"{rest or last} …"


ROUTES = (Route("/words", show_words), Route("/words/{word:path}", show_concordance))
