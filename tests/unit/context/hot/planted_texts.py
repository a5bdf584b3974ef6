"""Stored texts with known words, to look for stories in."""

import random
from collections.abc import Sequence
from pathlib import Path

from gossamer.context.hot.stored_texts import FOLDER, StoredTexts, add_segment, finish_refresh, open_texts
from gossamer.context.hot.text_date import DateSource, TextDate
from gossamer.context.hot.text_segment import TextRow, hash_name, make_segment
from gossamer.records import Page

WORDS = [f"{a}{b}{c}o" for a in "bdfklmnprst" for b in "aeiou" for c in "bdfklmnprst"]
FIRST_DAY = 738_000
STORY = frozenset({"earthquake", "rescue", "tremor", "Mount Alto"})


def make_rows(
    day: int, texts: int = 60, story: int = 0, site: str = "a.example", source: DateSource = "page"
) -> list[TextRow]:
    """Return texts of random words; the first ones tell a story."""
    chance = random.Random(f"{day} {site}")
    return [
        TextRow(
            hash_name(f"{day} {site} {at}"),
            TextDate(FIRST_DAY + day, source),
            site,
            "en" if at % 2 else "de",
            frozenset(chance.choices(WORDS, k=40)) | (STORY if at < story else frozenset()),
        )
        for at in range(texts)
    ]


def store_rows(web: Path, *parts: list[TextRow]) -> StoredTexts:
    """Store texts, a segment for each list."""
    (web / FOLDER).mkdir(parents=True, exist_ok=True)
    texts = open_texts(web)
    for rows in parts:
        read = {row.page: (row.page, row.date.day) for row in rows}
        texts = add_segment(texts, make_segment(rows, read, {row.page for row in rows}, []))
    return finish_refresh(texts, 1.0)


def find_pages(ids: Sequence[int]) -> dict[int, Page]:
    """Return a page for each id."""
    return {
        id_: Page(id_, f"http://a.example/{id_}", "a.example", 1, 0, 1.0, 200, "html", f"Page {id_}")
        for id_ in ids
    }
