"""The words and the hot stories of one theme: its pages are chosen by its number or its name."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from tests.unit.context.themes.subjects import SUBJECTS, fill_index, find_subject, make_pages

from gossamer.context.hot.ask_hot import choose_theme_pages
from gossamer.context.hot.hot_records import HotQuestion
from gossamer.context.themes.web_themes import find_themes, list_theme_pages, load_themes
from gossamer.context.words.web_words import WordsRequest, make_selection
from gossamer.errors import BadInput


def find_number(folder: Path, subject: str) -> str:
    themes = load_themes(folder).themes
    return str(next(one.number for one in themes if find_subject(one.typical[0].url) == subject))


def test_a_theme_selects_its_pages(tmp_path: Path) -> None:
    pages = make_pages()
    find_themes(tmp_path, fill_index(pages), None, number=len(SUBJECTS))
    number = find_number(tmp_path, "steam")
    steam = sorted(one.id for one in pages if "steam" in one.url)
    assert list_theme_pages(tmp_path, number).tolist() == steam

    def find_theme(called: str) -> "np.ndarray":
        return list_theme_pages(tmp_path, called)

    chosen = make_selection(WordsRequest(theme=number), lambda _: [], None, None, find_theme)
    assert chosen.pages == steam
    assert chosen.is_part
    both = make_selection(WordsRequest(theme=number), lambda _: [], [*steam[:3], 5], None, find_theme)
    assert both.pages == steam[:3]
    question = choose_theme_pages(HotQuestion(until=date(2024, 5, 1)), tmp_path, number)
    assert question.theme == number
    assert question.choose_pages is not None
    assert question.choose_pages(np.array([*steam[:2], 5])).tolist() == [True, True, False]


def test_an_unknown_theme_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="were not found yet"):
        list_theme_pages(tmp_path, "1")
    find_themes(tmp_path, fill_index(make_pages()), None, number=len(SUBJECTS))
    with pytest.raises(BadInput, match=r"there is no theme 'physics'; .gossamer themes. lists them"):
        list_theme_pages(tmp_path, "physics")
    assert choose_theme_pages(HotQuestion(), tmp_path, "") == HotQuestion()
