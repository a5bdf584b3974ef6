"""The themes of a web: find them, refresh them, read them, look one up, and search in it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.build_themes import add_pages, build
from gossamer.context.themes.link_groups import MOST_PAGES, LinkGroups, group_links
from gossamer.context.themes.list_pages import list_pages
from gossamer.context.themes.theme_file import FILE, FOLDER, ThemeState, read_state, read_themes, write_state
from gossamer.context.themes.theme_records import FEWEST_THEMES, MOST_THEMES, Theme, ThemePage, Themes
from gossamer.errors import BadInput, StoreFailed
from gossamer.search.index.search_index import Index
from gossamer.store.batch import Store
from gossamer.store.opening.web_name import name_web, quote_web
from gossamer.store.opening.web_versions import change_folder, find_folder

_GROWN = 1.5
"""Themes are found anew when a collection has grown by half: new subjects need themes of their own."""

_MOST_SHOWN = 50
_PAGES_AT_ONCE = 5_000

Progress = Callable[[float], None]


def find_themes(
    folder: Path,
    index: Index,
    store: Store | None,
    number: int | None = None,
    anew: bool = False,
    on_progress: Progress = lambda _: None,
) -> Themes:
    """Find the themes of a web, or bring them up to date; keep them in its folder.

    They are found anew with `anew`, with another `number` of them, and when the web has grown by half. Otherwise only new and
    changed pages are read. A process that dies meanwhile leaves the themes as they were.
    """
    if number is not None and not FEWEST_THEMES <= number <= MOST_THEMES:
        raise BadInput(f"a web has from {FEWEST_THEMES} to {MOST_THEMES} themes, not {number}")
    _check_pages(folder, index)
    with change_folder(folder, FOLDER) as place:
        before = None if anew else read_state(place / FILE)
        listed = list_pages(index)
        if before is None or number or len(listed.ids) > _GROWN * before.themes.built_pages:
            state = build(listed, store, number, before, on_progress)
        else:
            state = add_pages(before, listed, store)
        write_state(state, place / FILE)
    on_progress(1.0)
    return state.themes


def refresh_found_themes(folder: Path, open_index: Callable[[], Index], store: Store) -> None:
    """Bring the themes of a web up to date after its index, if there are any; damaged ones are reported when they are read."""
    with suppress(BadInput, StoreFailed):
        if have_themes(folder):
            find_themes(folder, open_index(), store)


def group_answer_links(
    folder: Path, store: Store, query: str, find_pages: Callable[[str, int], list[int]]
) -> LinkGroups:
    """Group where the links of the best answers to a query lead; by site if the themes were not found yet."""
    state = read_state(find_folder(folder, FOLDER) / FILE)
    return group_links(store, find_pages(query, MOST_PAGES), state, query)


def have_themes(folder: Path) -> bool:
    """Say whether the themes of a web were found."""
    return (find_folder(folder, FOLDER) / FILE).is_file()


def load_themes(folder: Path) -> Themes:
    """Return the themes of a web; raise `BadInput` if they were not found yet."""
    themes = read_themes(find_folder(folder, FOLDER) / FILE)
    if themes is None:
        raise _make_missing_error(folder)
    return themes


def load_state(folder: Path) -> ThemeState:
    """Return the themes of a web with the theme of each page; raise `BadInput` if they were not found yet."""
    state = read_state(find_folder(folder, FOLDER) / FILE)
    if state is None:
        raise _make_missing_error(folder)
    return state


def choose_theme(themes: Themes, called: str) -> Theme:
    """Return the theme with this number or name; upper and lower case are the same."""
    wanted = called.strip().casefold()
    for theme in themes.themes:
        if wanted in (str(theme.number), theme.name.casefold()):
            return theme
    names = {theme.name.casefold(): theme.name for theme in themes.themes}
    near = get_close_matches(wanted, names, n=1)
    hint = f"did you mean {names[near[0]]!r}?" if near else "`gossamer themes` lists them"
    raise BadInput(f"there is no theme {called!r}; {hint}")


def list_theme_pages(folder: Path, called: str) -> NDArray[np.int64]:
    """Return the ids of the pages of a theme, by its number or name, ascending; raise `BadInput` if it has none or is not there."""
    state = load_state(folder)
    theme = choose_theme(state.themes, called)
    position = int(np.flatnonzero(state.numbers == theme.number)[0])
    found = np.asarray(state.pages["id"][state.pages["theme"] == position], np.int64)
    if not len(found):
        raise BadInput(
            f"the theme {theme.name!r} has no pages any more; `gossamer themes --anew` finds themes again"
        )
    return found


def list_page_themes(store: Store, state: ThemeState, theme: Theme | None = None) -> dict[str, list[Any]]:
    """Return the pages of a web with their themes as columns; only those of one theme, if it is given.

    Pages without a theme have the number 0 and no name. Memory: some 300 bytes a page.
    """
    rows = state.pages
    numbers = np.where(rows["theme"] >= 0, state.numbers[np.maximum(rows["theme"], 0)], 0)
    if theme is not None:
        rows, numbers = rows[numbers == theme.number], numbers[numbers == theme.number]
    ids = rows["id"].tolist()
    urls: dict[int, str] = {}
    for first in range(0, len(ids), _PAGES_AT_ONCE):
        urls.update(store.page_urls(ids[first : first + _PAGES_AT_ONCE]))
    names = {one.number: one.name for one in state.themes.themes}
    return {
        "url": [urls.get(page, "") for page in ids],
        "id": ids,
        "theme": numbers.tolist(),
        "name": [names.get(number, "") for number in numbers.tolist()],
        "likeness": np.round(rows["likeness"].astype(np.float64), 3).tolist(),
        "language": [state.languages[code] for code in rows["language"].tolist()],
    }


def find_in_theme(store: Store, state: ThemeState, theme: Theme, found: Sequence[int]) -> list[ThemePage]:
    """Return those of the found pages that belong to a theme, in their order; at most fifty."""
    position = int(np.flatnonzero(state.numbers == theme.number)[0])
    wanted = np.array(found, np.int64)
    if not len(state.pages) or not len(wanted):
        return []
    rows = state.pages[np.minimum(np.searchsorted(state.pages["id"], wanted), len(state.pages) - 1)]
    inside = (rows["id"] == wanted) & (rows["theme"] == position)
    chosen = wanted[inside][:_MOST_SHOWN].tolist()
    likeness = dict(zip(wanted.tolist(), rows["likeness"].tolist(), strict=True))
    pages = store.pages_by_id(chosen)
    return [
        ThemePage(pages[page].url, pages[page].title, pages[page].language, round(likeness[page], 3), page)
        for page in chosen
        if page in pages
    ]


def _check_pages(folder: Path, index: Index) -> None:
    if index.own_pages < FEWEST_THEMES:
        have = "one page" if index.own_pages else "no pages"
        raise BadInput(f"the index of {name_web(folder)} has {have}: themes need at least two")


def _make_missing_error(folder: Path) -> BadInput:
    finds = f"`gossamer themes --web {quote_web(folder)}` finds them"
    return BadInput(f"the themes of {name_web(folder)} were not found yet; {finds}")
