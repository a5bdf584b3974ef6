"""Pages of a theme: which of the pages that a query finds belong to it."""

from collections.abc import Sequence

import numpy as np

from gossamer.context.themes.theme_file import ThemeState
from gossamer.context.themes.theme_records import Theme, ThemePage
from gossamer.store.batch import Store

_MOST_SHOWN = 50


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
