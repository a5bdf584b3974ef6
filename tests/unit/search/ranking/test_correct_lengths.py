import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.index.search_index import Index
from gossamer.search.index.whole_statistics import WholeStatistics
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.correct_lengths import LENGTH_FIELD, correct_lengths, measure_length
from gossamer.search.ranking.rerank import rank_pages

FILLER = [f"filler{number}" for number in range(60)]


def make_index(*lengths: int, word: str = "lantern") -> Index:
    """Return an index of pages that have a word once, and so many others."""
    index = Index()
    writer = index.writer()
    for number, length in enumerate(lengths):
        writer.add(entry(number, main=" ".join([word, *FILLER[:length]]), language="en"))
    writer.commit()
    return index


def test_the_average_length_is_that_of_the_pages() -> None:
    assert measure_length(make_index(4, 9, 14)) == pytest.approx(10.0)
    assert measure_length(Index()) == 0.0


def test_scores_become_those_of_one_index_of_all_pages() -> None:
    short, all_pages = make_index(2, 3), make_index(2, 3, 50, 55)
    counts = {(field, "lantern"): all_pages.count_pages(field, "lantern") for field in ("words", "rest")}
    lengths = {LENGTH_FIELD: measure_length(all_pages)}
    whole = WholeStatistics(all_pages.pages, ("en",), lengths, counts)
    shared = search(short, "lantern", SearchOptions(whole=whole))
    expected = {answer.id: answer.score for answer in search(all_pages, "lantern").answers}
    assert len(shared.answers) == 2
    for answer in shared.answers:
        assert answer.score == pytest.approx(expected[answer.id], rel=1e-3)
    uncorrected = search(short, "lantern", SearchOptions(whole=WholeStatistics(4, ("en",), {}, counts)))
    assert uncorrected.answers[0].score < 0.8 * shared.answers[0].score


def test_an_index_that_is_searched_alone_is_not_corrected() -> None:
    index = make_index(2, 30)
    query = CompiledQuery(parse("lantern"), index)
    places = [hit.place for hit in rank_pages(index, query, 10)]
    assert correct_lengths(index, query, places) == [0.0, 0.0]


@pytest.mark.parametrize("word", ["हिन्दी", "e\u0301te\u0301", "東京", "naïve", "'\")", "x" * 300])
def test_any_word_can_be_corrected(word: str) -> None:
    index = make_index(2, 30, word=word)
    whole = WholeStatistics(100, ("en",), {LENGTH_FIELD: 500.0}, {})
    search(index, f"{word} filler1", SearchOptions(whole=whole))
