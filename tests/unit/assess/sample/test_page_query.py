import pytest
from tests.unit.assess.pages import facts

from gossamer.assess.sample.page_query import where
from gossamer.errors import BadInput

PAGE = facts(
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
    "told",
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
def test_what_holds_of_a_page(told: str) -> None:
    assert where(told)(PAGE)


@pytest.mark.parametrize(
    "told",
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
def test_what_does_not_hold_of_it(told: str) -> None:
    assert not where(told)(PAGE)


def test_a_page_without_relevance_lies_in_no_range() -> None:
    assert not where("relevance:0..1")(facts(1, marks={"relevance": "high"}))
    assert not where("relevance:0..1")(facts(1, marks={"relevance": "nan"}))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("haydn", "not the word 'haydn'; title:haydn looks in titles"),
        ("depth:deep", "needs a number or a range"),
        ("after:soon", "needs a date"),
        ("before:2020-13", "needs a date"),
        ("relevance:much", "wants a range"),
        ("relevance:..", "wants a range"),
        ("relevance:nan", "wants a range"),
    ],
)
def test_what_cannot_be_asked_is_told(told: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        where(told)
