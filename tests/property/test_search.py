"""What holds for every query, whatever is typed."""

from functools import cache

from hypothesis import example, given
from hypothesis import strategies as st
from tests.unit.search.texts import library

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.index.search_index import Index
from gossamer.search.query.parse_query import FIELDS, parse

PIECES = [
    *(
        "haydn",
        "Komponist",
        "東京",
        "AND",
        "OR",
        "NOT",
        "-",
        "+",
        "(",
        ")",
        '"',
        "*",
        "~",
        " ",
        " ",
        "\ud800",
        "\x00",
    ),
    *(f"{field}:" for field in FIELDS),
    *("2020-01", "1..3", "de", "html"),
]
QUERIES = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25).map("".join)


@cache
def index() -> Index:
    return library()


@given(QUERIES)
@example("NOT NOT (a OR) AND -")
@example("site:\ud800")
def test_every_query_is_answered(text: str) -> None:
    found = search(index(), text, SearchOptions(feedback=True, explain=True, size=3))
    assert found.total >= len(found.answers)
    assert all(
        0 <= start < end <= len(one.snippet.text) for one in found.answers for start, end in one.snippet.marks
    )


@given(QUERIES)
def test_parentheses_around_a_query_change_nothing(text: str) -> None:
    if '"' not in text and text.count("(") == text.count(")") == 0 and ":" not in text:
        assert search(index(), f"({text})").total == search(index(), text).total


@given(st.lists(st.sampled_from(["haydn", "water", "bread", "komponist"]), min_size=1, max_size=4))
def test_more_conditions_find_fewer_pages(words: list[str]) -> None:
    every = search(index(), " AND ".join(words)).total
    some = search(index(), " OR ".join(words)).total
    assert every <= some == search(index(), " ".join(words)).total
    assert parse(" OR ".join(words)).notes == ()
