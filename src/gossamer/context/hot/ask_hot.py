"""Ask a web for its hot stories, with options as people type them."""

import re
from datetime import date
from pathlib import Path
from typing import get_args

import msgspec
import numpy as np

from gossamer.context.hot.find_hot_stories import MAX_SINCE_DAYS, find_hot_stories
from gossamer.context.hot.hot_records import HotQuestion, HotReport, Period
from gossamer.context.hot.refresh_texts import ReadableWeb
from gossamer.context.hot.stored_texts import StoredTexts
from gossamer.context.themes.web_themes import list_theme_pages
from gossamer.errors import BadInput
from gossamer.net.url.public_suffix import site as find_site

_AGE = re.compile(r"(\d{1,4})\s*([dw])")
_DAYS = {"d": 1, "w": 7}
_HOST = re.compile(r"(?:\w+://)?([^/?#@\s]+)")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
MOST_STORIES = 100


def make_question(
    since: str = "", until: str = "", by: str = "day", site: str = "", language: str = "", most: int = 10
) -> HotQuestion:
    """Return a question from what a person typed; raise BadInput with a sentence that says what is wrong."""
    if by not in get_args(Period):
        raise BadInput(f"--by is day or week, not {by!r}")
    if language and not _LANGUAGE.fullmatch(language):
        raise BadInput(f"--language is a code such as de, not {language!r}")
    host = _HOST.match(site.strip()) if site.strip() else None
    if site.strip() and host is None:
        raise BadInput(f"--site is a name such as example.org, not {site!r}")
    last = parse_day(until, "--until") if until else None
    return HotQuestion(
        by="day" if by == "day" else "week",
        since_days=_parse_since(since, last, by),
        until=last,
        site=find_site(host[1].lower()) if host else "",
        language=language,
        most=max(1, min(most, MOST_STORIES)),
    )


def parse_day(text: str, option: str) -> date:
    """Return a day as YYYY-MM-DD."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"{option} is a day such as 2026-05-31, not {text!r}") from None


def _parse_since(text: str, last: date | None, by: str) -> int:
    """Return how many days are asked about: an age such as 7d or 4w, or the days since a date."""
    if not text.strip():
        return 1 if by == "day" else 7
    if age := _AGE.fullmatch(text.strip().lower()):
        days = int(age[1]) * _DAYS[age[2]]
    elif last is not None and re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()):
        days = (last - parse_day(text, "--since")).days + 1
    else:
        raise BadInput(
            f"--since is an age such as 7d or 4w, or with --until a day such as 2026-05-31, not {text!r}"
        )
    if not 1 <= days <= MAX_SINCE_DAYS:
        raise BadInput(f"--since is between one day and {MAX_SINCE_DAYS} days, not {text!r}")
    return days


def choose_theme_pages(question: HotQuestion, folder: Path, called: str) -> HotQuestion:
    """Return a question about the pages of one theme, by its number or name; raise BadInput if it is not there."""
    if not called.strip():
        return question
    ids = list_theme_pages(folder, called)
    return msgspec.structs.replace(
        question, theme=called.strip(), choose_pages=lambda pages: np.isin(pages, ids)
    )


def ask_hot(web: ReadableWeb, texts: StoredTexts, question: HotQuestion) -> HotReport:
    """Return the hot stories of a web, with the pages that carry them."""
    return find_hot_stories(texts, question, web.store.pages_by_id)
