"""Links are judged by what is known of their host and by their words, where a task wants some languages."""

import msgspec
import pytest

from gossamer.crawl.read_page import Reading
from gossamer.crawl.task.task_languages import Languages
from gossamer.net import html
from gossamer.records import Link, Page

DANISH, ENGLISH = "Læs mere om hvordan edderkoppen virker", "Read more about how the spider works"


def read(host: str, language: str) -> Reading:
    return Reading(Page(1, f"http://{host}/", host, 1, 1, 0.0, 200, "html", language=language))


def known(wanted: int, others: int) -> Languages:
    languages = Languages(("da",))
    for number in range(wanted + others):
        languages.recognise(read("a.example", "da" if number < wanted else "en"))
    return languages


@pytest.mark.parametrize(
    ("wanted", "others", "text", "followed"),
    [
        (0, 0, "", True),
        (0, 0, ENGLISH, True),
        (0, 3, "", True),
        (0, 6, "", False),
        (0, 6, DANISH, True),
        (0, 1, ENGLISH, False),
        (0, 400, DANISH, False),
        (3, 40, "", False),
        (10, 60, "", True),
        (9, 8, ENGLISH, True),
    ],
)
def test_host_and_words_decide_together(wanted: int, others: int, text: str, followed: bool) -> None:
    why = known(wanted, others).refuse_link(Link("http://a.example/x", text=text), "a.example")
    assert (not why) is followed
    assert followed or why == f"{wanted} of {wanted + others} pages of its host so far are in da"


def test_other_hosts_are_not_judged_by_it() -> None:
    assert not known(0, 50).refuse_link(Link("http://b.example/", text=ENGLISH), "b.example")


def test_unknown_pages_say_nothing_of_their_host() -> None:
    languages = Languages(("da",))
    for _ in range(50):
        unknown = languages.recognise(read("a.example", ""))
        assert not languages.is_foreign(unknown.page)
    assert not languages.refuse_link(Link("http://a.example/x"), "a.example")


def test_the_reason_is_written_down_once_a_host() -> None:
    languages = known(0, 9)
    assert [languages.is_first_refusal("a.example") for _ in range(3)] == [True, False, False]


def test_who_was_told_no_languages_wants_all() -> None:
    languages = Languages(())
    assert not languages.is_foreign(languages.recognise(read("a.example", "en")).page)
    assert not languages.refuse_link(Link("http://a.example/x", text=ENGLISH), "a.example")


def test_a_language_that_is_recognised_only_where_it_is_named_can_be_wanted() -> None:
    text = "module string database function command index cursor option column"
    page = html.read(f"<p>{text}", "http://a.example/")
    reading = msgspec.structs.replace(read("a.example", ""), document=page)
    assert Languages(()).recognise(reading).page.language == "en"
    assert Languages(("en",)).recognise(reading).page.language == "en"
    assert Languages(("gl",)).recognise(reading).page.language == "gl"
