"""Describe themes: their names and words, typical pages, languages, sites and sizes."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.list_pages import IndexPages, mark_copies
from gossamer.context.themes.page_terms import list_spellings
from gossamer.context.themes.sparse_rows import SparseRows
from gossamer.context.themes.theme_records import Theme, ThemePage
from gossamer.search.clusters.cluster_records import AnswerText
from gossamer.search.clusters.label_groups import label_groups
from gossamer.search.clusters.read_answer import ReadAnswer, read_answer
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.terms.analysis import is_unspaced

_TYPICAL = 10
"""Typical pages that are shown."""
_OTHERS = 300
"""How many pages of other themes a name is compared with."""
_NAME_TERMS = 30
"""Of how many of its most typical words the name of a theme is made."""
_MOST_WORDS = 12
_MOST_SITES = 10
_MOST_LIFT = 25.0
_SNIPPET = 600

Counts = NDArray[np.int64]


class ThemeText(msgspec.Struct, frozen=True):
    """The name of a theme and its words."""

    name: str
    words: tuple[str, ...]


def choose_typical(
    pages: NDArray[np.void], is_copy: NDArray[np.bool_], count: int, most: int
) -> list[list[int]]:
    """Return the positions of the most typical pages of each theme, copies left out."""
    usable = np.flatnonzero((pages["theme"] >= 0) & ~is_copy)
    order = usable[np.lexsort((pages["id"][usable], -pages["likeness"][usable], pages["theme"][usable]))]
    starts = np.searchsorted(pages["theme"][order], np.arange(count + 1))
    return [order[starts[at] : min(starts[at] + most, starts[at + 1])].tolist() for at in range(count)]


def name_themes(
    rows: SparseRows,
    groups: NDArray[np.int64],
    terms: Mapping[str, int],
    typical: Sequence[Sequence[int]],
    listed: IndexPages,
) -> list[ThemeText]:
    """Name themes and list their words, given the terms and the groups of a sample, and typical pages of each theme."""
    count = len(typical)
    ratios, surprise = _compare_terms(rows, groups, count)
    wanted = np.array(sorted({at for some in typical for at in some}), np.int64)
    pages = dict(listed.read(wanted))
    names = list(terms)
    ranked = [
        [names[at] for at in np.argsort(-row, kind="stable")[:_NAME_TERMS].tolist() if row[at] > 0]
        for row in surprise
    ]
    lifts = [
        {term: float(min(_MOST_LIFT, ratios[theme, terms[term]])) for term in chosen}
        for theme, chosen in enumerate(ranked)
    ]
    answers = {
        at: read_answer(
            AnswerText(
                _spell_title(page.title, page.text[:_SNIPPET]), page.text[:_SNIPPET], "", page.language
            )
        )
        for at, page in pages.items()
    }
    words = [_spell(ranked[theme], [pages[at] for at in typical[theme]]) for theme in range(count)]
    labels = _choose_labels([[answers[at] for at in some] for some in typical], lifts)
    labels = [_widen_label(label, some) for label, some in zip(labels, words, strict=True)]
    return [ThemeText(name, some) for name, some in zip(_make_different(labels, words), words, strict=True)]


def _spell_title(title: str, text: str) -> str:
    """Return a title as it is read: one in capitals does not tell how its words are written, but its text may."""
    if not title.isupper():
        return title
    written = {word.lower(): word for word in text.split()}
    return " ".join(written.get(word, word) for word in title.lower().split())


def _widen_label(label: str, words: Sequence[str]) -> str:
    """Return a label of several words, or one word with the most typical other one: a single word seldom says enough."""
    if not label or " " in label or is_unspaced(label):
        return label
    known = label.casefold()
    other = next((word for word in words if word not in known and known not in word), "")
    pair = (label, other) if known in words[:1] else (other, label)
    return ", ".join(filter(None, pair))


def _choose_labels(
    members: Sequence[Sequence[ReadAnswer]], lifts: Sequence[Mapping[str, float]]
) -> list[str]:
    """Return a label for each theme: a phrase of its typical words alone, which the pages of others have seldom."""
    each = max(1, _OTHERS // max(1, len(members)))
    found = []
    for theme, own in enumerate(members):
        others = [one for at, some in enumerate(members) if at != theme for one in some[:each]]
        answers = [*own, *others]
        groups = [range(len(own)), range(len(own), len(answers))]
        found.append(label_groups(groups, answers, (), lifts[theme])[0] if own else "")
    return found


def _make_different(labels: Sequence[str], words: Sequence[Sequence[str]]) -> list[str]:
    """Return the labels, with words added where one is missing or is that of an earlier theme."""
    taken: set[str] = set()
    names = []
    for number, (label, some) in enumerate(zip(labels, words, strict=True), 1):
        more = [word for word in some if word not in label.casefold()]
        longer = [", ".join(filter(None, (label, *more[:count]))) for count in range(1, len(more) + 1)]
        free = [name for name in (label, *longer) if name and name.casefold() not in taken]
        names.append(free[0] if free else f"theme {number}")
        taken.add(names[-1].casefold())
    return names


def describe(
    pages: NDArray[np.void],
    numbers: Counts,
    texts: Sequence[ThemeText],
    tables: tuple[Sequence[str], Sequence[str]],
    listed: IndexPages,
) -> list[Theme]:
    """Return the themes, without their places on the map; `tables` are the names of sites and languages."""
    sites, languages = tables
    is_copy = mark_copies(pages["simhash"], pages["words"])
    count = len(numbers)
    typical = choose_typical(pages, is_copy, count, _TYPICAL)
    wanted = np.array(sorted({at for some in typical for at in some}), np.int64)
    shown = dict(listed.read(wanted))
    in_theme = pages["theme"] >= 0
    sizes = np.bincount(pages["theme"][in_theme & ~is_copy], minlength=count)
    copies = np.bincount(pages["theme"][in_theme & is_copy], minlength=count)
    once = pages[in_theme & ~is_copy]
    by_language = _count_by_theme(once, "language", count)
    by_site = _count_by_theme(once, "site", count)
    return [
        Theme(
            number=int(numbers[at]),
            name=texts[at].name,
            words=texts[at].words,
            size=int(sizes[at]),
            copies=int(copies[at]),
            typical=tuple(_show_page(shown[one], pages[one]) for one in typical[at]),
            languages={languages[code]: times for code, times in by_language[at]},
            sites={sites[code]: times for code, times in by_site[at][:_MOST_SITES]},
        )
        for at in range(count)
    ]


def _show_page(page: IndexedPage, row: np.void) -> ThemePage:
    return ThemePage(page.url, page.title, page.language, round(float(row["likeness"]), 3), int(row["id"]))


def _count_by_theme(pages: NDArray[np.void], column: str, count: int) -> list[list[tuple[int, int]]]:
    """Return the values of a column in each theme with their counts, the most frequent first."""
    keys, times = np.unique(
        pages["theme"].astype(np.int64) << 32 | pages[column].astype(np.int64), return_counts=True
    )
    found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for key, number in zip(keys.tolist(), times.tolist(), strict=True):
        found[key >> 32].append((key & 0xFFFFFFFF, number))
    for some in found:
        some.sort(key=lambda one: (-one[1], one[0]))
    return found


def _compare_terms(
    rows: SparseRows, groups: NDArray[np.int64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by theme and term: how much more frequent it is there, and how much that says (Dunning 1993)."""
    of_row = np.repeat(groups, np.diff(rows.starts))
    inside = of_row >= 0
    keys = of_row[inside] * rows.width + rows.columns[inside]
    times = np.bincount(keys, minlength=count * rows.width).reshape(count, rows.width).astype(np.float64)
    sizes = np.maximum(1, np.bincount(groups[groups >= 0], minlength=count))[:, None]
    everywhere = np.maximum(1, times.sum(axis=0))[None, :] / max(1, int((groups >= 0).sum()))
    ratios = times / sizes / everywhere
    surprise = np.where(times > 1, times * np.log(np.maximum(ratios, 1e-9)), 0.0)
    return ratios, surprise


def _spell(terms: Sequence[str], pages: Sequence[IndexedPage]) -> tuple[str, ...]:
    """Return terms as they are most often written on some pages."""
    spellings: dict[str, Counter[str]] = {}
    for page in pages:
        for term, word in list_spellings(page).items():
            spellings.setdefault(term, Counter())[word] += 1
    written = (
        min(spellings[term], key=lambda word, found=spellings[term]: (-found[word], word))  # type: ignore[misc]
        for term in terms
        if term in spellings
    )
    return tuple(dict.fromkeys(written))[:_MOST_WORDS]
