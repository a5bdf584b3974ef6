"""Judges pages by themselves: titles, texts of images, encoding, language, HTML that has to be repaired."""

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import numpy as np

from gossamer.link_check.facts.page_facts import PageFacts
from gossamer.link_check.problem import Problem
from gossamer.net.html.references import Place, SourceLines, read_references
from gossamer.records import Page
from gossamer.text.language.related_languages import find_family

_LEAST_WORDS = 100
"""Fewer words than these do not tell a language reliably."""
_UNDECLARED = frozenset(("", "und", "mul", "zxx"))
_MOST_NAMED = 3


class TitleTable:
    """Which pages have the same title; pages that name another as their canonical one do not count."""

    def __init__(self) -> None:
        self._titles, self._pages = array("q"), array("q")

    def add(self, page: int, facts: PageFacts) -> None:
        """Note the title of a page."""
        if facts.title and facts.canonical in (0, page):
            self._titles.append(hash(facts.title))
            self._pages.append(page)

    def list_duplicates(self) -> list[list[int]]:
        """Return the pages that probably share a title, those with one title together."""
        titles, pages = np.frombuffer(self._titles, np.int64), np.frombuffer(self._pages, np.int64)
        order = np.argsort(titles, kind="stable")
        starts = np.flatnonzero(np.diff(titles[order], prepend=~titles[order][:1]))
        groups = np.split(pages[order], starts[1:]) if len(starts) else []
        return [group.tolist() for group in groups if len(group) > 1]


def judge_titles(pages: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Yield a problem for each of these pages, given by URL and title, whose title another one has."""
    by_title: dict[str, list[str]] = {}
    for url, title in pages:
        by_title.setdefault(title, []).append(url)
    for title, same in by_title.items():
        for url in same if len(same) > 1 else ():
            named = [other for other in same[: _MOST_NAMED + 1] if other != url][:_MOST_NAMED]
            more = f" and {len(same) - 1 - len(named)} more" if len(same) - 1 > len(named) else ""
            detail = f"{title[:200]!r} is also the title of {', '.join(named)}{more}"
            yield Problem("duplicate-title", url, url, 200, "page", detail=detail)


def judge_page(page: Page, facts: PageFacts) -> Iterator[Problem]:
    """Yield the problems of a page that need no look at its source."""
    if not facts.title:
        yield _make("missing-title", page)
    if facts.encoding:
        yield _make("wrong-encoding", page, detail=facts.encoding)
    if (detail := compare_languages(page)) != "":
        yield _make("wrong-language", page, detail=detail)


def has_trouble(facts: PageFacts) -> bool:
    """Say whether the facts of a page alone tell that it has problems."""
    return not facts.title or bool(facts.encoding) or needs_source(facts)


def needs_source(facts: PageFacts) -> bool:
    """Say whether a page has problems whose places are to be looked up in its source."""
    return bool(facts.bare_images or facts.repairs or facts.invalid or facts.insecure)


def judge_source(page: Page, facts: PageFacts, source: bytes) -> Iterator[Problem]:
    """Yield the problems of a page that have a place in its source."""
    lines = SourceLines(source)
    images = {
        one.start: one.url for one in read_references(source).references if one.kind in ("image", "srcset")
    }
    for offset in np.frombuffer(facts.bare_images, np.uint32).tolist():
        place = lines.find_place(offset)
        detail = next((url for start, url in sorted(images.items()) if start > offset), "")
        yield _make("missing-alt", page, place, detail[:500], kind="image")
    for offset, why in facts.repairs:
        yield _make("html-repair", page, lines.find_place(offset), why)
    for offset, address in facts.invalid:
        yield _make("invalid-address", page, lines.find_place(offset), target=address, status=0, kind="")
    for offset, address in facts.insecure:
        yield _make("mixed-content", page, lines.find_place(offset), target=address, status=0, kind="")


def _make(problem: str, page: Page, place: Place | None = None, detail: str = "", **given: Any) -> Problem:
    found = Problem(problem, page.url, page.url, page.status, "page", detail=detail)
    if place is not None:
        found = msgspec.structs.replace(found, line=place.line, column=place.column)
    return msgspec.structs.replace(found, **given) if given else found


def compare_languages(page: Page) -> str:
    """Say how the language of a text differs from the declared one; "" if it does not, or is not known."""
    declared = page.declared_language.replace("_", "-").partition(",")[0].partition("-")[0].strip().lower()
    declared = {"no": "nb", "iw": "he", "in": "id"}.get(declared, declared)
    if page.words < _LEAST_WORDS or not page.language or declared in _UNDECLARED:
        return ""
    if find_family(page.language) == find_family(declared):
        return ""
    return f"{page.declared_language[:20]} is declared, and the text is in {page.language}"


def merge_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems in the order of their sources and places, equal ones together."""
    merged: dict[tuple[str, str, str, int], Problem] = {}
    for one in problems:
        key = (
            one.problem,
            one.target,
            one.source,
            one.line if one.problem in ("html-repair", "missing-alt") else 0,
        )
        before = merged.get(key)
        merged[key] = (
            one if before is None else msgspec.structs.replace(before, times=before.times + one.times)
        )
    return sorted(
        merged.values(), key=lambda one: (one.source, one.line, one.column, one.problem, one.target)
    )
