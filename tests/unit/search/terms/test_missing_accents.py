import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.index.search_index import Index
from gossamer.search.terms import missing_accents
from gossamer.search.terms.analysis import get_analyser
from gossamer.search.terms.missing_accents import restore_accents

KNOWN = {"źródła": "źródło", "zrodla": None, "Łódź": "Łódź", "kąt": "kąt", "kat": "kat", "příliš": "příliš"}
PAGES = {
    "pl": [
        "Źródła rzek są w górach.",
        "Miasto ma książki i lata.",
        "Zrodla bez znakow.",
        "Łata na spodniach.",
    ],
    "cs": ["Ve školách jsou příklady.", "Největší města."],
    "fr": ["Les élèves de la forêt."],
}


def test_accents_are_restored_by_a_dictionary() -> None:
    assert restore_accents("zrodla", "pl", KNOWN.get) == ["źródła"]
    assert restore_accents("lodz", "pl", KNOWN.get) == ["łódź"]
    assert restore_accents("kat", "pl", KNOWN.get) == ["kąt"]
    assert restore_accents("prilis", "cs", KNOWN.get) == ["příliš"]
    assert restore_accents("zrodla", "en", KNOWN.get) == restore_accents("", "pl", KNOWN.get) == []


@pytest.fixture(scope="module")
def index() -> Index:
    found = Index()
    writer = found.writer()
    texts = [(language, text) for language, some in PAGES.items() for text in some]
    for number, (language, text) in enumerate(texts):
        writer.put(entry(number, title="", main=text, language=language))
    writer.commit()
    return found


def find(index: Index, query: str) -> set[str]:
    return {answer.snippet.text for answer in search(index, query).answers}


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("zrodla", PAGES["pl"][0]),
        ("zrodlami", PAGES["pl"][0]),
        ("ksiazkami", PAGES["pl"][1]),
        ("skolach", PAGES["cs"][0]),
        ("prikladech", PAGES["cs"][0]),
        ("nejvetsi", PAGES["cs"][1]),
        ('"rekami gorach" OR zrodlem', PAGES["pl"][0]),
        ("eleve foret", PAGES["fr"][0]),
    ],
)
def test_words_are_found_without_their_accents(index: Index, typed: str, text: str) -> None:
    assert text in find(index, typed)


def test_pages_without_accents_are_found_as_before(index: Index) -> None:
    assert PAGES["pl"][2] in find(index, "zrodla")


def test_words_with_accents_and_frequent_words_stand_for_themselves(index: Index) -> None:
    polish = get_analyser("pl")
    assert polish.list_query_terms("źródła") == [polish["źródła"]]
    assert polish.list_query_terms("lata") == [polish["lata"]]
    assert set(polish.list_query_terms("lodzi")) == {polish["lodzi"], polish["łodzi"]}
    assert get_analyser("en").list_query_terms("resume") == [get_analyser("en")["resume"]]
    assert get_analyser("").list_query_terms("zrodla") == ["zrodla"]


@pytest.mark.parametrize("word", ["a" * 24, "aeiouyzcs" * 500, "z" * 10_000])
def test_hostile_words_are_looked_up_a_bounded_number_of_times(word: str) -> None:
    looked_up: list[str] = []
    assert restore_accents(word, "cs", looked_up.append) == []
    assert len(looked_up) <= 2 * missing_accents._MOST_TRIES  # as it is, and as a name
    assert get_analyser("cs").list_query_terms(word)
