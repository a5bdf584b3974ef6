import math

import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Answer, SearchOptions
from gossamer.search.index.search_index import Index

TEXTS = ["haydn haydn quartets", "haydn mozart", "mozart", "boilers", "pumps and boilers"]


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index()
    writer = index.writer()
    for number, text in enumerate(TEXTS):
        writer.add(entry(number, title="", main=text, language=""))
    writer.commit()
    return index


def ask(index: Index, query: str) -> list[Answer]:
    return list(search(index, query, SearchOptions(ranking="cosine", explain=True)).answers)


def rarity(pages: int) -> float:
    return math.log(6 / pages)


def test_scores_are_the_cosines_of_vectors(index: Index) -> None:
    best, second = ask(index, "haydn")
    haydn = (1 + math.log(2)) * rarity(2)
    assert (best.id, second.id) == (0, 1)
    assert best.score == pytest.approx(haydn / math.hypot(haydn, rarity(1)), rel=1e-6)
    assert second.score == pytest.approx(math.sqrt(0.5), rel=1e-6)


def test_repeated_words_count(index: Index) -> None:
    assert [answer.id for answer in ask(index, "haydn mozart")] == [1, 2, 0]
    assert ask(index, "haydn" + " mozart" * 20)[0].id == 2


def test_parts_add_up(index: Index) -> None:
    for answer in ask(index, "haydn mozart quartets"):
        assert sum(part.score for part in answer.parts) == pytest.approx(answer.score, rel=1e-6)


def test_a_query_without_words_has_score_zero(index: Index) -> None:
    assert {answer.score for answer in ask(index, "type:html")} == {0.0}
