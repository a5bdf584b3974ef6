"""What the pages about words are asked for, and the lists that they show."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from gossamer.context.themes.web_themes import list_theme_pages
from gossamer.context.words.concordance.collocates import Collocate, find_collocates
from gossamer.context.words.concordance.find_lines import (
    Concordance,
    LineOrder,
    find_matches,
    make_concordance,
)
from gossamer.context.words.concordance.token_pattern import parse_pattern
from gossamer.context.words.frequency_list import (
    FrequencyList,
    KeywordList,
    ListOptions,
    Measure,
    make_frequency_list,
    make_keyword_list,
)
from gossamer.context.words.selection import Selection, select_sentences
from gossamer.context.words.tokens.token_store import STATE_FILE, TokenStore
from gossamer.context.words.web_words import WordsRequest, check_lemmas, make_selection, open_words
from gossamer.ui.render_template import encode_parameters
from gossamer.web import Web

_MOST_CHARACTERS = 2_000
_FILTERS = ("q", "site", "language", "since", "until", "unit", "measure", "theme")


class WordsPageRequest(msgspec.Struct, frozen=True):
    """The parameters of the pages about words."""

    q: str = ""
    site: str = ""
    language: str = ""
    since: str = ""
    until: str = ""
    unit: str = "forms"
    measure: str = "log-likelihood"
    theme: str = ""

    @property
    def lemmas(self) -> bool:
        """Whether lemmas are counted."""
        return self.unit == "lemmas"

    @property
    def kept(self) -> dict[str, str]:
        """The parameters that differ from their defaults."""
        default = WordsPageRequest()
        return {
            name: getattr(self, name) for name in _FILTERS if getattr(self, name) != getattr(default, name)
        }

    def make_address(self, path: str, **changes: str) -> str:
        """Return the address of a page with these parameters."""
        query = encode_parameters(self.kept | changes)
        return f"{path}?{query}" if query else path


def read_words_request(parameters: Mapping[str, str]) -> WordsPageRequest:
    """Read the parameters of an address; unknown values of a choice are replaced by the default."""
    values = {name: parameters.get(name, "").strip()[:_MOST_CHARACTERS] for name in _FILTERS}
    values["unit"] = "lemmas" if values["unit"] == "lemmas" else "forms"
    known = ("log-likelihood", "log-ratio", "simple-maths")
    values["measure"] = values["measure"] if values["measure"] in known else known[0]
    return WordsPageRequest(**values)


def list_words(
    web: Web, request: WordsPageRequest, number: int, least: int = 3
) -> "FrequencyList | KeywordList":
    """Return the list that a page shows: keywords if a part of the collection is selected."""
    tokens, selection = open_words(web.folder), _select(web, request)
    measure: Measure = request.measure  # type: ignore[assignment]  # checked when it was read
    options = ListOptions("lemmas" if request.lemmas else "forms", least, number, measure)
    if request.lemmas:
        check_lemmas(sorted(selection.languages))
    if selection.is_part:
        return make_keyword_list(tokens, selection, options)
    return _list_all(tokens.folder, _stamp_state(tokens), selection.languages, options)


def show_word(
    web: Web, request: WordsPageRequest, word: str, order: LineOrder, number: int
) -> tuple[Concordance, tuple[Collocate, ...]]:
    """Return the places of a word and its collocates. Pages take words and stars, but no regular expressions, which may run away."""
    tokens, selection = open_words(web.folder), _select(web, request)
    patterns = parse_pattern(word, "lemmas" if request.lemmas else "words")
    matches = find_matches(tokens, patterns, select_sentences(tokens, selection))
    return make_concordance(matches, number, order), find_collocates(tokens, matches, number)


def list_languages(web: Web) -> dict[str, int]:
    """Return the languages of the running text and their words, the largest first."""
    counts: dict[str, int] = open_words(web.folder).facts["words_by_language"]
    return dict(sorted(((name, count) for name, count in counts.items() if count), key=lambda one: -one[1]))


def _select(web: Web, request: WordsPageRequest) -> Selection:
    languages = tuple(filter(None, request.language.lower().replace(",", " ").split()))
    typed = WordsRequest(request.q, request.site, request.since, request.until, languages, request.theme)
    return make_selection(
        typed, web.pages_matching, find_theme=lambda called: list_theme_pages(web.folder, called)
    )


def _stamp_state(tokens: TokenStore) -> int:
    return (tokens.folder / STATE_FILE).stat().st_mtime_ns


@lru_cache(maxsize=16)
def _list_all(folder: Path, _stamp: int, languages: frozenset[str], options: ListOptions) -> FrequencyList:
    """Return the list of the whole collection, which is a pass over all of it; kept until the token store changes."""
    return make_frequency_list(TokenStore(folder), Selection(languages=languages), options)
