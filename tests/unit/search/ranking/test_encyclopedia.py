"""A short version of `bench/search_questions.py`: questions over a small encyclopedia, whose first answers are known."""

import numpy as np
import pytest
from tests.unit.search.texts import entry

from gossamer.graph.graph import from_edges
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Answer, SearchOptions
from gossamer.search.index.search_index import Index
from gossamer.search.links.list_pages import find_lists

FILLING = " ".join(f"Then the {word} followed, as the books of that time tell." for word in "abcdefghij")
ARTICLES = {
    "Cheetah": "The cheetah is the fastest land animal. It runs after gazelles on the plains of Africa. "
    + FILLING,
    "Blue whale": "The blue whale is the largest animal that ever lived. It eats krill in all oceans. "
    + FILLING,
    "Animal": "Animals eat, and most animals move. An animal can be small or large. Animal, animal, animal.",
    "Animal husbandry": "Farmers keep animals on their land. Each animal has its use for the farm.",
    "Land reform": "Land was taken from lords, and land was given to farmers. Land, land and more land.",
    "Prime number": "A prime number has two divisors. Two, three, five and seven are prime. " + FILLING,
    "Prime Minister": "A prime minister leads a cabinet. The prime minister is elected. Prime ministers resign.",
    "World War I": "The war began in 1914 in the Balkans, and ended in 1918. " + FILLING,
    "World War II": "World War II was a world war after World War I. The war of the world began in 1939.",
    "Wood": "Trees are made of it. People burn it, and build houses and ships. " + FILLING,
    "Bretton Woods": "Woods, a hotel in the woods: money was the matter at Bretton Woods in 1944.",
    "Volcano": "A mountain that throws out lava and ash. " + FILLING,
    "Decade Volcanoes": "Decade Volcanoes are volcanoes to watch. Each volcano of these volcanoes is a volcano.",
    "William Shakespeare": "Shakespeare wrote plays in London: Hamlet, Romeo and Juliet, Macbeth. " + FILLING,
    "Romeo and Juliet": "A play that Shakespeare wrote, about Romeo and about Juliet, who love each other.",
    "Writing": "People wrote on clay. Monks wrote books, scribes wrote letters. They wrote and wrote and wrote.",
    "Adolf Hitler": "Hitler was a German dictator, born in Austria. He led Germany into the war. " + FILLING,
    "German language": "German is spoken in Germany. German has umlauts; German nouns have German endings.",
    "Subject index: Animals": "Cheetah, blue whale, animal, animal husbandry, land reform",
    "Mozart": "Mozart was born in Salzburg. " + FILLING,
}
ANCHORS = {"Mozart": ("the composer of The Magic Flute", "Wolfgang Amadeus")}


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index()
    writer = index.writer()
    for number, (title, text) in enumerate(ARTICLES.items()):
        page = entry(
            number,
            title=f"{title} - Small Encyclopedia",
            main=text,
            language="en",
            url=f"https://books.example/{title.replace(' ', '_')}.html",
            anchors=(title, *ANCHORS.get(title, ())),
        )
        writer.add(page)
    writer.commit()
    listing = list(ARTICLES).index("Subject index: Animals")
    targets = [number for number in range(len(ARTICLES)) if number != listing]
    links = from_edges(
        np.array([listing] * len(targets) + [0, 1], np.int32),
        np.array([*targets, 1, 2], np.int32),
        len(ARTICLES),
    )
    words = np.array([len(text.split()) for text in ARTICLES.values()])
    ids = np.arange(len(ARTICLES), dtype=np.int64)
    index.set_lists(find_lists(ids, np.zeros(len(ids), np.int32), words, links))
    return index


def find_first(index: Index, query: str) -> Answer:
    return search(index, query, SearchOptions(explain=True)).answers[0]


def get_name(answer: Answer) -> str:
    return answer.title.removesuffix(" - Small Encyclopedia")


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("fastest land animal", {"Cheetah"}),
        ("largest animal ever lived", {"Blue whale"}),
        ("prime numbers", {"Prime number"}),
        ("german dictator", {"Adolf Hitler"}),
        ("who wrote romeo and juliet", {"Romeo and Juliet", "William Shakespeare"}),
        ("world war 1914", {"World War I"}),
        ("volcano", {"Volcano"}),
        ("wood", {"Wood"}),
        ("wolfgang amadeus", {"Mozart"}),
        ("magic flute composer", {"Mozart"}),
    ],
)
def test_questions_have_their_pages_first(index: Index, question: str, right: set[str]) -> None:
    assert get_name(find_first(index, question)) in right


def test_a_query_that_is_a_title_has_this_page_first(index: Index) -> None:
    for title in ARTICLES:
        assert get_name(find_first(index, title)) == title
        assert get_name(find_first(index, f"{title.lower()} small encyclopedia")) == title


def test_parts_of_each_score_add_up(index: Index) -> None:
    fields = set()
    for question in ("fastest land animal", "world war I", "animals", "wolfgang amadeus"):
        for answer in search(index, question, SearchOptions(explain=True)).answers:
            assert sum(part.score for part in answer.parts) == pytest.approx(answer.score, abs=1e-3)
            fields |= {part.field for part in answer.parts}
    assert fields >= {"words", "title", "name", "near", "all words", "list"}


def test_a_word_counts_once_for_all_places_outside_the_title(index: Index) -> None:
    parts = [part for part in find_first(index, "shakespeare").parts if part.word]
    assert [part.field for part in parts] == ["words", "title"]


def test_a_page_with_all_words_is_before_pages_that_repeat_one(index: Index) -> None:
    answers = search(index, "farmers animals land", SearchOptions(explain=True)).answers
    assert get_name(answers[0]) == "Animal husbandry"
    assert "all words" in {part.field for part in answers[0].parts}
    assert all("all words" not in {part.field for part in one.parts} for one in answers[1:])
