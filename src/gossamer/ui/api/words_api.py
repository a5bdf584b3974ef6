"""The JSON API of words: frequency lists, keywords and concordances, as the pages show them."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.words.concordance.collocates import Collocate
from gossamer.context.words.concordance.find_lines import Concordance
from gossamer.context.words.frequency_list import FrequencyList, KeywordList
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.context.words_request import WordsPageRequest, list_words, show_word
from gossamer.ui.page_context import get_context


class SelectionParameters(ApiParameters, frozen=True, kw_only=True):
    """A part of the collection."""

    q: Annotated[str, Meta(max_length=2000, description="Only pages that match this query.")] = ""
    site: Annotated[str, Meta(max_length=300, description="Only pages of this site or domain.")] = ""
    language: Annotated[
        str, Meta(max_length=100, description="Only sentences in these languages, as da,nb.")
    ] = ""
    since: Annotated[str, Meta(max_length=30, description="Only pages of this date or later, or of 7d.")] = ""
    until: Annotated[str, Meta(max_length=30, description="Only pages before this date.")] = ""
    theme: Annotated[
        str, Meta(max_length=300, description="Only pages of this theme, by its number or name.")
    ] = ""
    unit: Annotated[Literal["forms", "lemmas"], Meta(description="What is counted, or looked for.")] = "forms"


class WordListParameters(SelectionParameters, frozen=True, kw_only=True):
    """A part of the collection, and the list to make of its words."""

    measure: Annotated[
        Literal["log-likelihood", "log-ratio", "simple-maths"],
        Meta(description="What keywords are ranked by."),
    ] = "log-likelihood"
    least: Annotated[int, Meta(ge=1, description="Leave out words that occur less often.")] = 3
    number: Annotated[int, Meta(ge=1, le=10_000, description="Words to list.")] = 100


class ConcordanceParameters(SelectionParameters, frozen=True, kw_only=True):
    """A word or a phrase, and the part of the collection to look in."""

    word: Annotated[str, Meta(max_length=1000, description="A word or a phrase; * stands for any letters.")]
    sort: Annotated[Literal["page", "left", "right"], Meta(description="The order of the lines.")] = "right"
    number: Annotated[int, Meta(ge=1, le=10_000, description="Lines, evenly chosen among all places.")] = 50


class WordListAnswer(msgspec.Struct, frozen=True):
    """A frequency list of the whole collection, or the keywords of a selection; the other one is null."""

    frequencies: FrequencyList | None = None
    keywords: KeywordList | None = None


class ConcordanceAnswer(msgspec.Struct, frozen=True):
    """The places of a word, and the words that stand near it."""

    concordance: Concordance
    collocates: tuple[Collocate, ...]


def send_words(request: Request) -> Response:
    """Send the words of the collection, or the keywords of a selection."""
    asked = read_parameters(request.query_params, WordListParameters)
    with get_context(request).borrow_web() as web:
        found = list_words(web, _make_request(asked, asked.measure), asked.number, asked.least)
    if isinstance(found, KeywordList):
        return make_response(WordListAnswer(keywords=found))
    return make_response(WordListAnswer(frequencies=found))


def send_concordance(request: Request) -> Response:
    """Send the places of a word, and the words that stand near it."""
    asked = read_parameters(request.query_params, ConcordanceParameters)
    with get_context(request).borrow_web() as web:
        found, near = show_word(web, _make_request(asked), asked.word, asked.sort, asked.number)
    return make_response(ConcordanceAnswer(found, near))


def _make_request(asked: SelectionParameters, measure: str = "log-likelihood") -> WordsPageRequest:
    return WordsPageRequest(
        asked.q, asked.site, asked.language, asked.since, asked.until, asked.unit, measure, asked.theme
    )


ROUTES = (Route("/api/words", send_words), Route("/api/concordance", send_concordance))
