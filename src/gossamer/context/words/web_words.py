"""Open the token store of a web, keep it up to date, and turn what a person types into a selection."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from gossamer.context.words.selection import Selection
from gossamer.context.words.tokens.refresh_tokens import (
    OnProgress,
    TokenRefresh,
    describe_source,
    refresh_tokens,
)
from gossamer.context.words.tokens.token_store import FOLDER, TokenStore, exists
from gossamer.errors import BadInput, BadUrl
from gossamer.printable_text import quote_text
from gossamer.search.links.page_neighbours import find_page
from gossamer.search.query.filter_values import NEEDS_DATE, parse_day, parse_name
from gossamer.search.terms.base_forms import DICTIONARIES, read_dictionary
from gossamer.store.batch import Store
from gossamer.store.opening.web_name import quote_web
from gossamer.store.opening.web_versions import change_folder, find_folder

FindPages = Callable[[str], "Sequence[int] | np.ndarray"]
_DAY_S = 86_400


class WordsRequest(msgspec.Struct, frozen=True):
    """A selection as a person types it."""

    query: str = ""
    site: str = ""
    since: str = ""
    until: str = ""
    languages: tuple[str, ...] = ()
    theme: str = ""
    """The number or the name of a theme."""


def open_words(folder: Path) -> TokenStore:
    """Open the token store of a web; raise `BadInput` if it has none."""
    found = find_folder(folder, FOLDER)
    if not exists(found):
        raise BadInput(
            f"the words of this web have not been read yet; `gossamer words --web {quote_web(folder)}` reads them"
        )
    return TokenStore(found)


def refresh_words(store: Store, folder: Path, on_progress: OnProgress = lambda _: None) -> TokenRefresh:
    """Bring the token store of a web up to date."""
    with change_folder(folder, FOLDER) as words:
        return refresh_tokens(words, store, folder, on_progress)


def is_current(store: Store, folder: Path) -> bool:
    """Say whether no page was visited since the token store of a web was written. Cost: counting visits."""
    found = find_folder(folder, FOLDER)
    return exists(found) and TokenStore(found).facts.get("source") == describe_source(store)


def make_selection(
    request: WordsRequest,
    find_pages: FindPages,
    listed: Sequence[int] | None = None,
    now_s: float | None = None,
    find_theme: FindPages | None = None,
) -> Selection:
    """Return the selection that was typed; `find_pages` answers its query, `find_theme` lists a theme, `listed` are ids of pages."""
    pages: np.ndarray | None = None
    if request.query.strip():
        pages = np.asarray(find_pages(request.query), np.int64)
        if not len(pages):
            raise BadInput("no page of this web matches the query")
    for some in (listed, find_theme(request.theme) if find_theme is not None and request.theme else None):
        if some is not None:
            ids = np.asarray(some, np.int64)
            pages = ids if pages is None else np.intersect1d(pages, ids)
    return Selection(
        pages=None if pages is None else pages.tolist(),
        site=parse_name(request.site),
        since_s=parse_time(request.since, "--since", now_s),
        until_s=parse_time(request.until, "--until", now_s),
        languages=frozenset(request.languages),
    )


def parse_time(value: str, option: str, now_s: float | None = None) -> float | None:
    """Return the time that a date, or a number of days such as 7d, stands for; None for ""."""
    if not value:
        return None
    days = value.removesuffix("d")
    if value.endswith("d") and days.isdecimal() and len(days) < len("100000"):
        return (time.time() if now_s is None else now_s) - int(days) * _DAY_S
    found = parse_day(value)
    if found is None:
        raise BadInput(f"{option} {NEEDS_DATE}, or a number of days such as 7d, not {value[:40]!r}")
    return float(found)


def find_listed_pages(store: Store, lines: Iterable[str]) -> list[int]:
    """Return the ids of pages that are listed by their addresses, one a line; raise `BadInput` for one that is not there."""
    found = []
    for line in filter(None, map(str.strip, lines)):
        try:
            page = find_page(store, line)
        except BadUrl as error:
            raise BadInput(f"the list of pages has a line that is no address: {error}") from None
        if store.page(page) is None:
            raise BadInput(f"the list of pages names {quote_text(line)}, which is not in this web")
        found.append(page)
    return found


def check_lemmas(languages: Iterable[str]) -> None:
    """Raise `BadInput` for a language without a dictionary of lemmas."""
    for language in languages:
        if language not in DICTIONARIES or read_dictionary(language) is None:
            raise BadInput(
                f"there is no dictionary of lemmas for {language}; count its forms instead (--forms)"
            )
