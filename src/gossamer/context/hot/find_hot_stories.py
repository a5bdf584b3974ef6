"""Find the hot stories of a web: words that rise in the periods that are asked about, grouped by the texts that carry them."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

import msgspec
import numpy as np

from gossamer.context.hot.hot_records import (
    HotPage,
    HotQuestion,
    HotReport,
    HotStory,
    find_first_day,
    find_period,
    format_day,
)
from gossamer.context.hot.period_terms import PeriodTerms, TextChoice
from gossamer.context.hot.search_period import PeriodSearch
from gossamer.context.hot.stored_texts import StoredTexts
from gossamer.context.hot.text_date import DATE_SOURCES
from gossamer.context.hot.text_segment import hash_name
from gossamer.errors import BadInput
from gossamer.records import Page
from gossamer.text.hot.find_stories import MAX_CURVE, Story, scale_curve
from gossamer.text.hot.hot_terms import MAX_PERIODS

FindPages = Callable[[Sequence[int]], dict[int, Page]]
"""Returns pages by their ids; those that are gone are left out."""
MAX_SINCE_DAYS = 366
_PAGES_SHOWN = 8
# A story of the next period that has half of the first words is the same story.
_FIRST_WORDS = 6


def find_hot_stories(texts: StoredTexts, question: HotQuestion, find_pages: FindPages) -> HotReport:
    """Return the hot stories of the periods that are asked about, the hottest first; raise BadInput if there is nothing to compare."""
    choice = TextChoice(question.site, question.language, question.choose_pages)
    terms = PeriodTerms(texts, question.by, choice)
    first_day, last_day = terms.find_days()
    _check_days(texts, question, first_day, last_day)
    until = min(question.until.toordinal(), last_day) if question.until else last_day
    since = max(until - min(question.since_days, MAX_SINCE_DAYS) + 1, first_day)
    last, first = find_period(until, question.by), find_period(since, question.by)
    earliest = max(find_period(first_day, question.by), first - MAX_PERIODS)
    found = []
    for period in range(first, last + 1):
        stories = PeriodSearch(terms, period, question, earliest, texts).find()
        found += [_FoundStory(story, period, period) for story in stories]
    merged = sorted(_merge_stories(found), key=lambda one: (-one.story.score, one.story.words))
    curves = _CurveDrawer(terms, last, max(MAX_CURVE, last - first + 1))
    shown = merged[: question.most]
    pages = _PageFinder(texts, find_pages, [int(id_) for one in shown for id_ in one.story.ids])
    sources, left_out = terms.count_sources(find_first_day(first, question.by), until)
    return HotReport(
        by=question.by,
        since=format_day(find_first_day(first, question.by)),
        until=format_day(until),
        curve_since=format_day(find_first_day(curves.first, question.by)),
        site=question.site,
        language=question.language,
        theme=question.theme,
        texts=int(sources.sum()),
        compared_periods=sum(terms.read_list(one).texts > 0 for one in range(earliest, last)),
        dated_by=dict(zip(DATE_SOURCES, sources.tolist(), strict=True)),
        left_out=left_out,
        refreshed=format_moment(texts.listed.refreshed_s),
        stories=tuple(_describe(one, question, curves, pages) for one in shown),
    )


def format_moment(when_s: float) -> str:
    """Return a Unix time as ISO 8601; "" for 0."""
    return datetime.fromtimestamp(when_s, UTC).isoformat(timespec="seconds") if when_s else ""


def _check_days(texts: StoredTexts, question: HotQuestion, first: int, last: int) -> None:
    """Refuse a question that cannot be answered, in one sentence."""
    chosen = "".join(
        f" {word} {name}"
        for word, name in (
            ("of the site", question.site),
            ("in", question.language),
            ("of the theme", question.theme),
        )
        if name
    )
    if not len(texts):
        raise BadInput("the web has no page with text yet: crawl some pages first")
    if not first:
        raise BadInput(f"the web has no dated text{chosen}")
    until = min(question.until.toordinal(), last) if question.until else last
    if until < first:
        raise BadInput(f"the first text{chosen} is of {format_day(first)}: ask for a later day")
    if find_period(until, question.by) == find_period(first, question.by):
        raise BadInput(
            f"all texts{chosen} up to {format_day(until)} are of one {question.by}: "
            f"hot words need texts of an earlier {question.by} to compare with"
        )


class _FoundStory(msgspec.Struct, frozen=True):
    """A story with the first and the last period in which it was hot."""

    story: Story
    began: int
    latest: int


def _merge_stories(found: Sequence[_FoundStory]) -> list[_FoundStory]:
    """Unite stories of successive periods that have half of their first words in common; the hottest one is told."""
    merged: list[_FoundStory] = []
    for one in found:  # in the order of periods
        same = next((at for at, other in enumerate(merged) if _is_same(other, one)), None)
        if same is None:
            merged.append(one)
            continue
        other = merged[same]
        hotter = max(other, one, key=lambda story: story.story.score)
        ids = (*one.story.ids, *(id_ for id_ in other.story.ids if id_ not in set(one.story.ids)))
        merged[same] = _FoundStory(msgspec.structs.replace(hotter.story, ids=ids), other.began, one.latest)
    return merged


def _is_same(one: _FoundStory, other: _FoundStory) -> bool:
    words, others = set(one.story.words[:_FIRST_WORDS]), set(other.story.words[:_FIRST_WORDS])
    return one.latest < other.began and 2 * len(words & others) >= min(len(words), len(others))


class _CurveDrawer:
    """Draws the curves of words over the last periods."""

    def __init__(self, terms: PeriodTerms, last: int, periods: int) -> None:
        self.first = last - periods + 1
        self._lists = [terms.read_list(one) for one in range(self.first, last + 1)]

    def draw(self, words: Sequence[str]) -> tuple[float, ...]:
        """Return in how many texts of 1,000 the words occurred in each period, on average."""
        hashes = np.array([hash_name(word) for word in words], np.uint32)
        found = [int(one.count(hashes).sum()) for one in self._lists]
        return scale_curve(found, [one.texts for one in self._lists], len(words))


class _PageFinder:
    """Finds the pages of stories, with the dates of their texts."""

    def __init__(self, texts: StoredTexts, find_pages: FindPages, ids: Sequence[int]) -> None:
        self._pages = find_pages(sorted(set(ids)))
        self._dates: dict[int, tuple[int, int]] = {}
        wanted = np.array(sorted(set(ids)), np.int64)
        for segment in texts.segments:
            for row in np.flatnonzero(np.isin(segment.pages, wanted)).tolist():
                self._dates[int(segment.pages[row])] = (int(segment.days[row]), int(segment.sources[row]))

    def describe(self, ids: Sequence[str]) -> tuple[HotPage, ...]:
        """Return the first pages of a story that are still in the web."""
        there = [page for id_ in ids if (page := self._pages.get(int(id_))) is not None][:_PAGES_SHOWN]
        return tuple(
            HotPage(page.url, page.title, format_day(day), DATE_SOURCES[source])
            for page in there
            for day, source in [self._dates[page.id]]
        )


def _describe(one: _FoundStory, question: HotQuestion, curves: _CurveDrawer, pages: _PageFinder) -> HotStory:
    began = format_day(find_first_day(one.began, question.by))
    story = one.story
    name = " ".join(("gossamer hot", began, question.by, *story.words[:3]))
    return HotStory(
        words=story.words,
        score=round(story.score, 2),
        began=began,
        latest=format_day(find_first_day(one.latest, question.by)),
        texts=len(story.ids),
        curve=curves.draw(story.words[:3]),
        pages=pages.describe(story.ids),
        id=str(uuid5(NAMESPACE_URL, name)),
    )
