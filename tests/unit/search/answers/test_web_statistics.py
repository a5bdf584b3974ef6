import msgspec
import pytest
from tests.unit.search.texts import library

from gossamer.errors import BadInput
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.answers.web_statistics import (
    collect_statistics,
    merge_languages,
    merge_statistics,
    pack_statistics,
    unpack_statistics,
)
from gossamer.search.index.search_index import Index


@pytest.fixture(scope="module")
def index() -> Index:
    return library()


def test_each_term_of_a_query_is_counted_in_each_field(index: Index) -> None:
    found = collect_statistics(index, "haydn engines", ("en",), "A library")
    counts = {(one.field, one.term): one.pages for one in found.terms}
    assert counts["words", "haydn"] == 1
    assert counts["title", "haydn"] == 0
    assert counts["title", "engine"] == 1
    assert found.pages == index.pages
    assert found.languages["en"] == 3
    assert found.title == "A library"
    assert found.length > 0


def test_statistics_of_one_web_alone_change_no_score(index: Index) -> None:
    query = "haydn symphonies london engines"
    told = collect_statistics(index, query, index.languages)
    whole = merge_statistics([told], index.languages)
    alone = search(index, query)
    among = search(index, query, SearchOptions(whole=whole))
    scores = [answer.score for answer in alone.answers]
    assert [answer.score for answer in among.answers] == pytest.approx(scores)
    assert len(scores) > 1


def test_what_is_packed_is_read_again(index: Index) -> None:
    query = "title:composers haydn donaudampfschiff"
    told = collect_statistics(index, query, ("en", "de"))
    whole = merge_statistics([told, told], ("en", "de"))
    assert unpack_statistics(pack_statistics(whole, told.terms), query) == whole
    assert whole.pages == 2 * index.pages
    assert whole.counts["words", "haydn"] == 2


@pytest.mark.parametrize(
    "packed", ["", "{}", "[1]", "[1,[],1,[-1]]", "[1,[],1,[1]]", '[1,["en"],1,[1,2]]', "[" * 9]
)
def test_statistics_that_do_not_fit_are_refused(packed: str) -> None:
    with pytest.raises(BadInput, match="statistics"):
        unpack_statistics(packed, "haydn")


def test_a_query_that_is_a_whole_text_has_a_bounded_number_of_terms(index: Index) -> None:
    text = " ".join(f"word{number}" for number in range(5_000))
    told = collect_statistics(index, text, ("en",))
    assert len(told.terms) == 400
    packed = pack_statistics(merge_statistics([told], ("en",)), told.terms)
    assert len(packed) < 8_000
    unpack_statistics(packed, text)


def test_the_languages_of_all_webs_count_together(index: Index) -> None:
    told = collect_statistics(index, "", ())
    german = msgspec.structs.replace(told, pages=1_000, languages={"de": 1_000})
    assert merge_languages([told, german])[0] == "de"
    assert merge_languages([]) == ("",)


def test_unknown_languages_are_one(index: Index) -> None:
    assert (
        collect_statistics(index, "haydn", ("xx", "yy")).terms == collect_statistics(index, "haydn", ()).terms
    )
