"""Stories that rise are found with their pages, for all texts, a site, a language or any group of pages."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from tests.unit.context.hot.planted_texts import FIRST_DAY, STORY, find_pages, make_rows, store_rows

from gossamer.context.hot.ask_hot import make_question
from gossamer.context.hot.find_hot_stories import find_hot_stories
from gossamer.context.hot.hot_records import HotQuestion
from gossamer.context.hot.stored_texts import StoredTexts
from gossamer.context.hot.tell_stories import (
    describe_curve,
    describe_texts,
    draw_sparkline,
    render_story_feed,
)
from gossamer.errors import BadInput

LAST = 12


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> StoredTexts:
    """Two sites; on one of them a story rises on the last day."""
    parts = [make_rows(day, story=8 if day == LAST else 0) for day in range(LAST + 1)]
    parts += [make_rows(day, 20, site="b.example") for day in range(LAST + 1)]
    return store_rows(tmp_path_factory.mktemp("web"), *parts)


def ask(texts: StoredTexts, **question: object) -> list[set[str]]:
    report = find_hot_stories(texts, HotQuestion(**question), find_pages)  # type: ignore[arg-type]
    return [set(story.words) for story in report.stories]


def test_a_story_is_found_on_its_day_with_its_pages_and_curve(texts: StoredTexts) -> None:
    report = find_hot_stories(texts, HotQuestion(), find_pages)
    first = report.stories[0]
    assert set(first.words) == STORY
    assert first.texts == 8
    assert first.began == first.latest == report.until == date.fromordinal(FIRST_DAY + LAST).isoformat()
    assert first.curve[-1] == 100.0
    assert set(first.curve[:-1]) == {0.0}
    assert len(first.pages) == 8
    assert {page.dated_by for page in first.pages} == {"page"}
    assert report.texts == 80
    assert report.compared_periods == LAST
    assert "80 texts" in describe_texts(report)
    assert "100 of 1,000" in describe_curve(first, report)
    assert draw_sparkline(first.curve) == "▁" * 13 + "█"
    feed = render_story_feed(report, "here")
    assert feed == render_story_feed(report, "here")
    assert first.pages[0].url in feed


def test_the_story_is_early_and_not_before(texts: StoredTexts) -> None:
    before = date.fromordinal(FIRST_DAY + LAST - 1)
    assert not any(STORY & words for words in ask(texts, until=before))
    assert any(words == STORY for words in ask(texts, since_days=5))


def test_sites_languages_and_groups_are_compared_with_themselves(texts: StoredTexts) -> None:
    assert STORY in ask(texts, site="a.example")
    assert not any(STORY & words for words in ask(texts, site="b.example"))
    assert STORY in ask(texts, language="de")
    chosen = {row.page for row in make_rows(LAST, story=8)[:8]}

    def leave_out(pages: np.ndarray) -> np.ndarray:
        return ~np.isin(pages, list(chosen))

    assert not any(STORY & words for words in ask(texts, choose_pages=leave_out))


def test_weeks_are_compared_with_weeks(tmp_path: Path) -> None:
    parts = [make_rows(day, 30, story=3 if day > 27 else 0) for day in range(35)]
    texts = store_rows(tmp_path, *parts)
    report = find_hot_stories(texts, make_question(by="week"), find_pages)
    assert set(report.stories[0].words) == STORY
    assert date.fromisoformat(report.since).weekday() == 0


def test_pages_without_a_date_do_not_count_where_others_state_one(tmp_path: Path) -> None:
    dated = [make_rows(day) for day in range(8)]
    lists = make_rows(7, 20, story=10, source="fetch")
    for row in lists:
        assert row.date.source == "fetch"
    moved = [row for row in lists if row.page not in {one.page for part in dated for one in part}]
    texts = store_rows(tmp_path, *dated, moved or [])
    report = find_hot_stories(texts, HotQuestion(), find_pages)
    assert report.left_out == len(moved)
    assert not any(STORY & set(story.words) for story in report.stories)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"site": "c.example"}, "no dated text of the site c.example"),
        ({"language": "fr"}, "no dated text in fr"),
        ({"until": date.fromordinal(FIRST_DAY)}, "are of one day"),
        ({"until": date.fromordinal(FIRST_DAY - 5)}, "ask for a later day"),
    ],
)
def test_what_cannot_be_compared_is_told(
    texts: StoredTexts, question: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        ask(texts, **question)


def test_a_web_without_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no page with text"):
        ask(store_rows(tmp_path))


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "soon"},
        {"since": "0d"},
        {"until": "tomorrow"},
        {"by": "year"},
        {"language": "German"},
        {"since": "2024-01-01"},
    ],
)
def test_a_question_that_cannot_be_read_is_told(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="--"):
        make_question(**wrong)  # type: ignore[arg-type]  # each is a text


def test_a_question_is_read_as_people_type_it() -> None:
    question = make_question("2w", "2024-05-03", "week", "https://www.example.org/news", "de", 500)
    assert (question.since_days, question.site, question.most) == (14, "example.org", 100)
    assert make_question("2024-05-01", "2024-05-03").since_days == 3
