import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse


@pytest.fixture(scope="module")
def index() -> Index:
    """Three hundred pages that all have “the”, and five with a rare word."""
    index = Index()
    writer = index.writer()
    for number in range(300):
        more = "kettle" if number < 5 else "the pot"
        writer.add(entry(number, title="", url="", main=f"the {more}", language="en" if number % 2 else "de"))
    writer.commit()
    return index


def count(index: Index, query: str) -> int:
    return int(index.searcher.search(CompiledQuery(parse(query), index).query).count)


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("the", 300),
        ("the pot", 295),
        ("the kettle", 5),
        ("the -kettle", 295),
        ("kettle the -pot", 5),
        ("language:en the kettle", 2),
        ("language:en the", 150),
        ("the nothing", 0),
        ("the OR kettle", 300),
        ("kettle AND the pot", 5),
        ("(kettle OR pot) AND (the OR kettle) nothing", 300),
    ],
)
def test_common_words_match_nothing_beside_others(index: Index, query: str, pages: int) -> None:
    assert count(index, query) == pages


def test_common_words_are_not_distinctive(index: Index) -> None:
    assert [one.text for one in CompiledQuery(parse("the kettle"), index).list_distinctive_words()] == [
        "kettle"
    ]
    assert [one.text for one in CompiledQuery(parse("the"), index).list_distinctive_words()] == ["the"]


def test_words_are_stemmed_in_the_language_of_the_query(index: Index) -> None:
    assert set(CompiledQuery(parse("x"), index).languages) == {"de", "en"}
    assert CompiledQuery(parse("language:de-AT x"), index).languages == ("de",)
    assert CompiledQuery(parse("x"), index, "fr").languages == ("fr",)


@pytest.mark.parametrize(
    ("query", "pages"),
    [("ket*", 5), ("x-ket*", 5), ("ket-x*", 0), ("k-k-k-k*", 0), ("kettlo~", 5), ("ke-ke-ke~", 0)],
)
def test_only_the_last_part_of_a_word_is_a_prefix(index: Index, query: str, pages: int) -> None:
    assert count(index, query) == pages


def test_a_word_of_many_parts_looks_up_few() -> None:
    many = CompiledQuery(parse("-".join(f"part{number}" for number in range(500)) + "*"), Index())
    assert len(many._page_counts) < 200


def test_many_pages_are_ranked_by_a_union_of_all_words() -> None:
    index = Index()
    writer = index.writer()
    for page in range(300):
        words = ("rare" if page < 20 else "other", "common" if page % 2 else "usual")
        writer.add(entry(page, title="", url="", main=" ".join(words), language="en"))
    writer.commit()
    for query, is_wide in {"rare common": True, "rare": False, "(rare common) -other": False}.items():
        compiled = CompiledQuery(parse(query), index)
        assert compiled.choose_ranking(0) is compiled.query
        hits = index.searcher.search(compiled.choose_ranking(200), limit=300, count=False).hits
        assert (len(hits) > 20) == is_wide
        assert set(index.read_numbers("id", [place for _, place in hits[:10]])) <= set(range(20))


def test_words_on_most_pages_still_rank_pages_that_have_them_in_their_titles() -> None:
    index = Index()
    writer = index.writer()
    for number in range(300):
        text = "catch an exception" if number < 10 else "an exception to each rule"
        writer.add(entry(number, title="Exceptions" if number == 7 else "Rules", main=text, language="en"))
    writer.commit()
    answers = search(index, "catch exceptions", SearchOptions(explain=True))
    assert (answers.total, answers.answers[0].id) == (10, 7)
    assert ("exceptions", "title") in {(part.word, part.field) for part in answers.answers[0].parts}
    parts = sum(part.score for part in answers.answers[0].parts)
    assert parts == pytest.approx(answers.answers[0].score, abs=1e-3)
