import pytest
from tests.unit.assess.pages import make_crawled_page

from gossamer.assess.sample.page_query import parse_condition
from gossamer.errors import BadInput

PAGE = make_crawled_page(
    1,
    task="trier",
    order="topic",
    host="www.b.example.org",
    url="http://www.b.example.org/Teaching/x",
    title="Lectures on Haydn",
    depth=3,
    declared_language="de-AT",
    last_modified="Sat, 30 May 2020 10:00:00 GMT",
    marks={"relevance": "0.93", "kind": "course"},
)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "depth:3",
        "depth:2.. depth:..3",
        "host:www.b.example.org",
        "host:http://www.b.example.org/",
        "site:example.org",
        "title:haydn",
        'title:"on Haydn"',
        "url:teaching",
        "type:html",
        "language:de",
        "language:de-CH",
        "task:trier",
        "order:topic",
        "after:2020-05-30",
        "before:2020-06",
        "mark:kind",
        "mark:kind=course",
        "mark:Kind=COURSE",
        "relevance:0.9..",
        "relevance:..0.93",
        "relevance:0.93",
        "-depth:2",
        "depth:1 OR depth:3",
        "(depth:1 OR depth:3) (host:x OR order:topic)",
        "NOT (depth:1 OR depth:2)",
    ],
)
def test_conditions_that_hold(query: str) -> None:
    assert parse_condition(query)(PAGE)


@pytest.mark.parametrize(
    "query",
    [
        "depth:2",
        "depth:4..",
        "host:b.example.org",
        "site:b.example.org",
        "title:mozart",
        "language:en",
        "task:t",
        "order:breadth",
        "after:2020-06",
        "before:2020-05-30",
        "mark:kind=cours",
        "mark:kin",
        "relevance:..0.92",
        "relevance:1",
        "-depth:3",
        "depth:3 host:x",
        "(depth:1 OR depth:3) (host:x OR order:y)",
    ],
)
def test_conditions_that_do_not_hold(query: str) -> None:
    assert not parse_condition(query)(PAGE)


def test_a_page_without_relevance_is_in_no_range() -> None:
    assert not parse_condition("relevance:0..1")(make_crawled_page(1, marks={"relevance": "high"}))
    assert not parse_condition("relevance:0..1")(make_crawled_page(1, marks={"relevance": "nan"}))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("haydn", "cannot search for the word 'haydn'; title:haydn searches titles"),
        ("depth:deep", "needs a number or a range"),
        ("after:soon", "needs a date"),
        ("before:2020-13", "needs a date"),
        ("relevance:much", "needs a range"),
        ("relevance:..", "needs a range"),
        ("relevance:nan", "needs a range"),
    ],
)
def test_invalid_conditions_are_refused_with_the_reason(query: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_condition(query)


@pytest.mark.parametrize("piece", ["depth:1 (", "a (", "NOT (", "depth:1 OR ("])
def test_endless_nesting_is_refused_in_a_sentence(piece: str) -> None:
    with pytest.raises(BadInput, match="deep"):
        parse_condition(piece * 400)
