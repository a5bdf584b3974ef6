import numpy as np
import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Answer, SearchOptions
from gossamer.search.field_weights import RankingWeights
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import make_ranks
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import make_near_queries

FILLING = "so many other things that are told here and there, of no use to anybody at all"
TEXTS = [
    f"haydn {FILLING} quartets",
    f"haydn quartets {FILLING}",
    *(f"page {number} of boilers and pumps" for number in range(30)),
]


def build(weights: RankingWeights) -> Index:
    index = Index(weights=weights)
    writer = index.writer()
    for number, text in enumerate(TEXTS):
        writer.add(entry(number, title="", url="", main=text, language="en"))
    writer.commit()
    return index


@pytest.fixture(scope="module")
def index() -> Index:
    return build(RankingWeights(rank=0.5))


def ask(index: Index, query: str, **options: bool) -> list[Answer]:
    return list(search(index, query, SearchOptions(explain=True, **options)).answers)  # type: ignore[arg-type]


def fields(answer: Answer) -> set[tuple[str, str]]:
    return {(part.word, part.field) for part in answer.parts}


def test_words_near_each_other_rank_a_page_higher(index: Index) -> None:
    best, second = ask(index, "haydn quartets")
    assert (best.id, second.id) == (1, 0)
    assert ("haydn quartets", "near") in fields(best)
    assert ("haydn quartets", "near") not in fields(second)


def test_nearness_can_be_switched_off() -> None:
    without = build(RankingWeights(near=0.0))
    assert make_near_queries(without, CompiledQuery(parse("haydn quartets"), without)) == {}
    best, second = ask(without, "haydn quartets")
    assert best.score == second.score


def test_repeated_words_count(index: Index) -> None:
    once, often = (ask(index, query)[0] for query in ("boilers", "boilers boilers boilers"))
    assert often.score == pytest.approx(3 * once.score, rel=1e-4)


def test_static_rank_decides_between_pages_with_the_same_words() -> None:
    index = build(RankingWeights(rank=0.5))
    shares = np.ones(len(TEXTS))
    shares[7] = 40
    index.set_ranks(make_ranks(np.arange(len(TEXTS)), shares / shares.sum(), np.arange(len(TEXTS))))
    for query in ("boilers", "type:html"):
        best = ask(index, query)[0]
        assert (best.id, best.in_links) == (7, 7)
        assert best.static_rank > 4
        assert ("", "rank") in fields(best)


@pytest.mark.parametrize("feedback", [False, True])
def test_parts_add_up_to_the_score(index: Index, feedback: bool) -> None:
    for answer in ask(index, "haydn quartets boilers boilers", feedback=feedback):
        assert sum(part.score for part in answer.parts) == pytest.approx(answer.score, abs=1e-3)


def test_feedback_is_a_part_of_its_own(index: Index) -> None:
    assert ("", "feedback") in fields(ask(index, "haydn", feedback=True)[0])


def test_further_pages_continue_the_ranking(index: Index) -> None:
    whole = [answer.id for answer in search(index, "boilers", SearchOptions(size=30)).answers]
    pages = [search(index, "boilers", SearchOptions(size=10, page=page)).answers for page in (1, 2, 3)]
    assert [answer.id for page in pages for answer in page] == whole
