"""Where do the links of some pages lead? Their targets, grouped by theme, or by site where the theme is unknown."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np

from gossamer.context.themes.theme_file import ThemeState
from gossamer.net.url.public_suffix import site
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.store.batch import Store
from gossamer.store.links.template_marks import read_template_targets

MOST_PAGES = 50
"""Of how many of the best answers the links are read."""
_MOST_TARGETS = 2_000
_SHOWN = 5
_MOST_GROUPS = 12


class LinkedPage(msgspec.Struct, frozen=True, gc=False):
    """A page that some pages link to."""

    url: str
    title: str
    links: int
    """How many of these pages link to it."""
    text: str
    """The most frequent text of these links."""


class LinkGroup(msgspec.Struct, frozen=True):
    """Linked pages of one theme or of one site."""

    label: str
    theme: int
    """The number of the theme; 0 for a site."""
    links: int
    """How many links lead there, each page counted once for a target."""
    pages: int
    """How many different pages they lead to."""
    best: tuple[LinkedPage, ...]
    """The pages with the most links."""


class LinkGroups(msgspec.Struct, frozen=True):
    """Where the links of the answers to a query lead."""

    query: str
    answers: int
    """Of how many answers the links were read."""
    groups: tuple[LinkGroup, ...]
    """Themes before sites, and those with the most links first."""


def group_links(store: Store, pages: Sequence[int], state: ThemeState | None, query: str = "") -> LinkGroups:
    """Group the targets of the links of some pages; links of templates are left out.

    Cost: a look-up for each page and for each target. Source: Stein 1997, section 5.3.
    """
    read = list(pages[:MOST_PAGES])
    targets, texts = _count_targets(store, read)
    chosen = [target for target, _ in targets.most_common(_MOST_TARGETS)]
    urls, known = store.urls(chosen), store.pages_by_id(chosen)
    themes = _find_themes(chosen, state)
    groups: defaultdict[tuple[str, int], list[LinkedPage]] = defaultdict(list)
    for target in chosen:
        url = known[target].url if target in known else urls.get(target, "")
        if url:
            where = themes.get(target) or (site(_read_host(url)), 0)
            title = known[target].title if target in known else ""
            text = texts[target].most_common(1)[0][0] if texts[target] else ""
            groups[where].append(LinkedPage(url, title, targets[target], text))
    found = [
        LinkGroup(label, number, sum(one.links for one in some), len(some), tuple(some[:_SHOWN]))
        for (label, number), some in groups.items()
    ]
    found.sort(key=lambda group: (group.theme == 0, -group.links, group.label))
    return LinkGroups(query, len(read), tuple(found[:_MOST_GROUPS]))


def _count_targets(store: Store, pages: Sequence[int]) -> tuple[Counter[int], defaultdict[int, Counter[str]]]:
    """Count how many of some pages link to each target, and the texts of these links."""
    ignored = read_template_targets(store, pages) if pages else set()
    targets: Counter[int] = Counter()
    texts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for page in pages:
        links = [link for link in store.links_from(page) if link.type in NAMING_TYPES]
        named = {link.target for link in links} - ignored - {page}
        targets.update(sorted(named))
        for link in links:
            if link.target in named and link.text.strip():
                texts[link.target][link.text.strip()] += 1
    return targets, texts


def _find_themes(pages: Sequence[int], state: ThemeState | None) -> dict[int, tuple[str, int]]:
    """Return the name and the number of the theme of each page that has one."""
    if state is None or not len(state.pages) or not pages:
        return {}
    names = {theme.number: theme.name for theme in state.themes.themes}
    wanted = np.array(pages, np.int64)
    at = np.minimum(np.searchsorted(state.pages["id"], wanted), len(state.pages) - 1)
    rows = state.pages[at]
    there = (rows["id"] == wanted) & (rows["theme"] >= 0)
    numbers = state.numbers[np.maximum(rows["theme"], 0)]
    return {
        page: (names[number], number)
        for page, number, is_there in zip(pages, numbers.tolist(), there.tolist(), strict=True)
        if is_there
    }


def _read_host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]
