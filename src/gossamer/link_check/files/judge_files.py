"""Judges files on disk by the rules for pages of a site."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from gossamer.link_check import judge_pages
from gossamer.link_check.facts.page_facts import (
    KIND_NUMBERS,
    PageFacts,
    normalise_fragment,
    pack_fragments,
    pack_places,
    unpack_place,
)
from gossamer.link_check.files.file_outcomes import FileOutcomes
from gossamer.link_check.files.file_tree import INDEX_NAMES, FileTree
from gossamer.link_check.files.markdown_page import read_markdown
from gossamer.link_check.files.read_files import FileFacts, read_bytes, read_text
from gossamer.link_check.judge_links import BadLink, LinkJudge
from gossamer.link_check.problem import Problem
from gossamer.link_check.read_links import LINKED, LinkSurvey, read_links
from gossamer.net.html.references import Place, SourceLines, read_references
from gossamer.records import Page

_REDIRECT_PROBLEMS = ("permanent-redirect", "redirect-chain", "redirect-loop")
# Servers show these without a link: the start page, and what stands for a page that is missing.
_UNLINKED_NAMES = frozenset((*INDEX_NAMES, "404.html"))


class FileJudge:
    """Judges all files that were read."""

    def __init__(self, tree: FileTree, facts: FileFacts, survey: LinkSurvey, outcomes: FileOutcomes) -> None:
        self._tree, self._facts, self._survey, self._outcomes = tree, facts, survey, outcomes
        self._listed: dict[int, int] = {}
        """By page: the sitemap that lists it."""

    def judge(self, urls: dict[int, str]) -> Iterator[Problem]:
        """Yield all problems, in no order; `urls` has the addresses that redirects lead to."""
        judge = LinkJudge(self._survey, self._outcomes)
        titles = judge_pages.TitleTable()
        sources = np.array(sorted(self._facts.sources), np.int64)
        for some in read_links(self._facts, sources, self._survey.skipped):
            yield from self._describe_all(judge.judge(some), urls)
            listed = some.kinds == KIND_NUMBERS["sitemap"]
            for target, sitemap in zip(
                some.targets[listed].tolist(), some.sources[listed].tolist(), strict=True
            ):
                self._listed.setdefault(self._outcomes.find(target).final, sitemap)
            for number, facts in some.pages:
                yield from self._judge_page(number, facts)
                if number in self._facts.pages:
                    titles.add(number, facts)
        for same in titles.list_duplicates():
            named = [(self._facts.pages[page].url, self._facts.pages[page].title) for page in same]
            for one in judge_pages.judge_titles(named):
                yield msgspec.structs.replace(one, status=0)

    # Links

    def _describe_all(self, found: Iterable[BadLink], urls: dict[int, str]) -> Iterator[Problem]:
        by_source: dict[int, list[BadLink]] = {}
        for bad in found:
            by_source.setdefault(bad.source, []).append(bad)
        for source, these in by_source.items():
            path = self._outcomes.find_file(source)
            is_page = path is not None and self._tree.is_page(path)
            places = _read_places(path, self._tree.is_markdown(path)) if path is not None and is_page else {}
            for bad in these:
                yield from self._describe(bad, places, urls)

    def _describe(
        self, bad: BadLink, places: dict[int, tuple[str, Place]], urls: dict[int, str]
    ) -> Iterator[Problem]:
        names = urls | self._facts.urls((bad.source, bad.target))
        fragment, place = places.get(bad.place, ("", unpack_place(bad.place)))
        if bad.has_fragment and self._is_github_anchor(bad, fragment):
            return
        target = names.get(bad.target, "") + (f"#{fragment}" if bad.has_fragment else "")
        outcome = bad.outcome
        redirects = bad.problem in _REDIRECT_PROBLEMS
        detail = outcome.detail[:200]
        if (redirects or outcome.hops) and (final := urls.get(outcome.final, "")):
            detail = f"redirects to {final}" + (f" in {outcome.hops} steps" if outcome.hops > 1 else "")
        yield Problem(
            bad.problem,
            target,
            names.get(bad.source, ""),
            outcome.first_status if redirects else outcome.status,
            bad.kind,
            place.line,
            place.column,
            detail,
            bad.times,
        )

    def _is_github_anchor(self, bad: BadLink, fragment: str) -> bool:
        """Say whether a fragment names a heading of Markdown in capital letters, which GitHub takes as well."""
        path = self._outcomes.find_file(bad.outcome.final)
        facts = self._facts.facts(bad.outcome.final)
        if path is None or facts is None or not self._tree.is_markdown(path):
            return False
        (wanted,) = np.frombuffer(pack_fragments([normalise_fragment(fragment).lower()]), np.int64)
        return bool((np.frombuffer(facts.ids, np.int64) == wanted).any())

    # Pages

    def _judge_page(self, number: int, facts: PageFacts) -> Iterator[Problem]:
        page = self._facts.pages.get(number)
        path = self._outcomes.find_file(number)
        if path is None or (page is None and not self._tree.is_markdown(path)):
            return
        if page is not None:
            yield from judge_pages.judge_page(page, facts)
        if not judge_pages.needs_source(facts):
            return
        source = read_text(read_bytes(path))
        if page is not None:
            yield from judge_pages.judge_source(page, facts, source)
            return
        name = self._facts.urls([number])[number]
        page = Page(number, name, "", 0, 0, 0.0, 0, "text")
        yield from judge_pages.judge_source(page, msgspec.structs.replace(facts, bare_images=b""), source)
        lines = SourceLines(source)
        for offset, address in read_markdown(source.decode()).bare_images:
            at = lines.find_place(offset)
            yield Problem("missing-alt", name, name, 0, "image", at.line, at.column, address[:500])

    def judge_orphans(
        self, include: Sequence[re.Pattern[str]], exclude: Sequence[re.Pattern[str]]
    ) -> Iterator[Problem]:
        """Yield the pages that no page links to, in folders that have a start page; call it after `judge`."""
        linked = self._survey.targets[(self._survey.uses & LINKED) != 0]
        finals = set(self._outcomes.find_all(linked).finals.tolist())
        for page in self._list_expected():
            name = self._facts.urls([page])[page]
            wanted = not include or any(one.search(name) for one in include)
            if page in finals or not wanted or any(one.search(name) for one in exclude):
                continue
            sitemap = self._listed.get(page)
            source = name if sitemap is None else self._facts.urls([sitemap])[sitemap]
            yield Problem("orphan", name, source, 0, "page" if sitemap is None else "sitemap")

    def _list_expected(self) -> Iterator[int]:
        """Yield the pages below the folders that have a start page; a start page itself needs no link."""
        for folder in self._tree.folders:
            if any((folder / name).is_file() for name in INDEX_NAMES):
                for path in self._tree.files:
                    is_start = path.parent == folder and path.name in _UNLINKED_NAMES
                    if path.is_relative_to(folder) and not is_start:
                        yield self._facts.number(path)


def _read_places(path: Path, is_markdown: bool) -> dict[int, tuple[str, Place]]:
    """Return the fragments and places of the links of a file by their packed places."""
    source = read_text(read_bytes(path))
    if is_markdown:
        found = [(one.address, one.offset) for one in read_markdown(source.decode()).links]
    else:
        found = [(one.url, one.start) for one in read_references(source).references]
    packed = pack_places(source, array("I", [offset for _, offset in found])).tolist()
    lines = SourceLines(source)
    return {
        place: (address.partition("#")[2], lines.find_place(offset))
        for place, (address, offset) in zip(packed, found, strict=True)
    }
