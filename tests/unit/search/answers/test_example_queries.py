import pytest
from tests.unit.search.texts import entry, library

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.example_queries import ExampleQueries, make_examples
from gossamer.search.index.search_index import Index


@pytest.fixture(scope="module")
def index() -> Index:
    return library(
        entry(20, title="The \u202e<script>x</script> \x00", main="x", language="en"),
        entry(21, title="Pressure boilers of Vienna", main="Boilers under pressure.", language="en"),
    )


def test_every_example_finds_pages(index: Index) -> None:
    one = make_examples(index)
    for query in (
        *(one.word, one.other, one.third, f'"{one.phrase}"', f"{one.start}*", f"{one.misspelt}~"),
        *(f"title:{one.word}", f"site:{one.site}", f"host:{one.host}", f"language:{one.language}"),
        *(f"{one.word} AND {one.other}", f"{one.word} -{one.third}"),
    ):
        assert search(index, query).total > 0, query


def test_examples_are_plain_words_and_no_stop_words(index: Index) -> None:
    one = make_examples(index)
    for text in (one.word, one.other, one.third, one.start, one.misspelt, *one.phrase.split()):
        assert text.isalpha()
    assert one.misspelt != one.third
    assert {one.word, one.other, one.third}.isdisjoint({"the", "of"})


def test_examples_follow_the_index() -> None:
    index = Index()
    assert make_examples(index) == ExampleQueries()
    writer = index.writer()
    writer.add(entry(1, title="Winter gardens", main="Gardens in winter.", language="en"))
    writer.commit()
    assert (make_examples(index).word, make_examples(index).phrase) == ("winter", "winter gardens")


def test_titles_without_words_give_fixed_examples() -> None:
    index = Index()
    writer = index.writer()
    for number, title in enumerate(["", "12", "東京大学", "x" * 500, "the"]):
        writer.add(entry(number, title=title, main="", language="en"))
    writer.commit()
    assert make_examples(index) == ExampleQueries()


def test_the_name_of_the_site_is_not_part_of_an_example() -> None:
    index = Index()
    writer = index.writer()
    for number, name in enumerate(("Winter gardens", "Summer fields", "Glossary")):
        writer.add(entry(number, title=f"{name} — Plants 3.1 documentation", main=name, language="en"))
    writer.commit()
    one = make_examples(index)
    assert one.phrase in ("winter gardens", "summer fields")
    assert (one.third, one.misspelt) != ("glossary", "glossary")
    assert len({one.word, one.other, one.third}) == 3
