import pytest
from tests.unit.search.texts import entry

from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.parse_query import parse


@pytest.fixture(scope="module")
def index() -> Index:
    """Three hundred pages that all have “the”, some of which say more."""
    index = Index()
    writer = index.writer()
    for number in range(300):
        more = "kettle" if number < 5 else "the pot"
        writer.add(entry(number, title="", url="", main=f"the {more}", language="en" if number % 2 else "de"))
    writer.commit()
    return index


def found(index: Index, query: str) -> int:
    return int(index.searcher.search(Asked(parse(query), index).query).count)  # type: ignore[attr-defined]


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
def test_words_of_every_page_find_nothing_beside_others(index: Index, query: str, pages: int) -> None:
    assert found(index, query) == pages


def test_only_words_that_tell_something_are_marked(index: Index) -> None:
    assert [one.text for one in Asked(parse("the kettle"), index).telling()] == ["kettle"]
    assert [one.text for one in Asked(parse("the"), index).telling()] == ["the"]


def test_words_are_reduced_by_the_language_that_was_asked_for(index: Index) -> None:
    assert set(Asked(parse("x"), index).languages) == {"de", "en"}
    assert Asked(parse("language:de-AT x"), index).languages == ("de",)
    assert Asked(parse("x"), index, "fr").languages == ("fr",)


@pytest.mark.parametrize(
    ("query", "pages"),
    [("ket*", 5), ("x-ket*", 5), ("ket-x*", 0), ("k-k-k-k*", 0), ("kettlo~", 5), ("ke-ke-ke~", 0)],
)
def test_only_the_last_part_of_a_word_begins_others(index: Index, query: str, pages: int) -> None:
    assert found(index, query) == pages


def test_a_word_of_many_parts_asks_for_few() -> None:
    many = Asked(parse("-".join(f"part{number}" for number in range(500)) + "*"), Index())
    assert len(many._having) < 200


def test_where_many_pages_are_found_common_words_rank_side_by_side() -> None:
    index = Index()
    writer = index.writer()
    for page in range(300):
        said = ("rare" if page < 20 else "other", "common" if page % 2 else "usual")
        writer.add(entry(page, title="", url="", main=" ".join(said), language="en"))
    writer.commit()
    for query, is_wide in {"rare common": True, "rare": False, "(rare common) -other": False}.items():
        asked = Asked(parse(query), index)
        assert asked.ranking(0) is asked.query
        hits = index.searcher.search(asked.ranking(200), limit=300, count=False).hits
        assert (len(hits) > 20) == is_wide
        assert set(index.numbers("id", [place for _, place in hits[:10]])) <= set(range(20))
