import msgspec
from msgspec import UNSET

from gossamer.broker.check_answers import check_answers, check_statistics
from gossamer.search.answers.answer_records import Answer, Answers, Fingerprint, NearCopy
from gossamer.search.answers.snippets import Snippet
from gossamer.search.answers.web_statistics import WebStatistics
from gossamer.search.query.query_statistics import TermCount

ANSWER = Answer(
    rank=1,
    score=2.0,
    id=5,
    url="https://a.example/",
    title="A title",
    snippet=Snippet("some text", ((0, 4),)),
    site="a.example",
    language="en",
    type="html",
    date_s=1e9,
    depth=1,
    archive=True,
    static_rank=1.0,
    in_links=3,
    fingerprint=Fingerprint(77, 9),
)


def check(*answers: Answer, most: int = 10, **facts: object) -> Answers:
    found = Answers(query="q", total=2, page=1, answers=answers, counts={}, more=True)
    return check_answers(msgspec.structs.replace(found, **facts), most)


def change(**facts: object) -> Answer:
    return msgspec.structs.replace(ANSWER, **facts)


def test_an_honest_answer_stays_as_it_is() -> None:
    assert check(ANSWER).answers == (ANSWER,)


def test_only_pages_of_the_web_are_answers() -> None:
    urls = ["javascript:alert(1)", "file:///etc/passwd", "http://a.example/ b", "https://a.example/\n", "//a"]
    assert check(*(change(url=url) for url in urls)).answers == ()
    copies = (NearCopy("data:text/html,x", "x"), NearCopy("http://b.example/", "b"))
    assert check(change(copies=copies)).answers[0].copies == (NearCopy("http://b.example/", "b"),)


def test_numbers_and_texts_are_bounded() -> None:
    odd = change(
        date_s=1e300,
        depth=-4,
        in_links=2**60,
        title="a\x1b[31m\u202eb" + "x" * 5_000,
        language="e" * 500,
        fingerprint=Fingerprint(2**70, 1),
    )
    (found,) = check(odd).answers
    assert found.date_s < 1e12
    assert (found.depth, found.in_links) == (0, 2**40)
    assert found.title.startswith("a [31m b")
    assert len(found.title) <= 1_000
    assert len(found.language) <= 40
    assert found.fingerprint is UNSET


def test_marks_must_be_inside_the_snippet_and_in_order() -> None:
    marks = ((2, 4), (3, 5), (-1, 2), (6, 6), (7, 99), (5, 9))
    (found,) = check(change(snippet=Snippet("some text", marks))).answers
    assert found.snippet.marks == ((2, 4), (5, 9))
    assert "".join(piece for piece, _ in found.snippet.pieces()) == "some text"


def test_no_more_answers_than_were_asked_for_and_counts_that_can_be_shown() -> None:
    found = check(
        *[ANSWER] * 5, most=2, counts={"year": {"2024": 1, "x": 2}, "evil": {"a": 1}, "site": {"s": -1}}
    )
    assert len(found.answers) == 2
    assert found.counts == {"year": {"2024": 1}, "site": {"s": 0}}


def test_statistics_cannot_claim_more_pages_with_a_term_than_pages() -> None:
    told = WebStatistics(
        "6", "", 10, {"en": 50}, -1.0, (TermCount("words", "a", 99), TermCount("words", "b", -1))
    )
    found = check_statistics(told, "host.example")
    assert [one.pages for one in found.terms] == [10, 0]
    assert (found.title, found.languages, found.length) == ("host.example", {"en": 10}, 0.0)
