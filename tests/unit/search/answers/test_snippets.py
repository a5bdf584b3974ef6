import pytest
from tests.unit.search.texts import COMPOSERS, entry, library

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.snippets import WIDTH, Marker, Snippet
from gossamer.search.query.parse_query import Words


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.marks]


def marker(*words: str, language: str = "en") -> Marker:
    return Marker([Words(word) for word in words], [language])


def test_all_forms_of_the_words_are_marked() -> None:
    found = marker("symphony", "composing").make_snippet(COMPOSERS, "en")
    assert set(marked(found)) == {"symphonies", "composed", "composer"}


def test_words_that_only_begin_alike_are_not_marked() -> None:
    assert marked(marker("man").make_snippet("A man, many men, a manor.", "en")) == ["man"]


def test_the_piece_with_the_most_words_is_chosen() -> None:
    text = f"{'Nothing here. ' * 100}A haydn quartet. {'Nothing here. ' * 100}Haydn alone."
    found = marker("haydn", "quartets").make_snippet(text, "en")
    assert marked(found) == ["haydn", "quartet"]
    assert len(found.text) <= WIDTH
    assert found.text.startswith(("Nothing", "A haydn"))


def test_every_matching_word_of_the_piece_is_marked() -> None:
    often = "A socket here. " * 7
    text = f"{often}{'Nothing else. ' * 40}Network sockets and a socket, another socket, and the last socket."
    found = marker("network", "socket").make_snippet(text, "en")
    assert marked(found) == ["Network", "sockets", "socket", "socket", "socket"]


def test_without_matches_the_snippet_is_the_beginning() -> None:
    assert marker("absent").make_snippet("One\ntwo.", "en") == Snippet("One two.")
    assert Marker([], ["en"]).make_snippet("", "en") == Snippet("")


def test_accents_and_scripts_without_spaces_are_marked() -> None:
    assert marked(marker("cafe").make_snippet("Two CAFÉS and a café.", "en")) == ["CAFÉS", "café"]
    assert marked(marker("東京", language="").make_snippet("国立東京大学", "ja")) == ["東", "京"]


def test_prefixes_are_marked() -> None:
    assert marked(
        Marker([Words("symph", "prefix")], ["en"]).make_snippet("A symphony, a Symphonist.", "en")
    ) == [
        "symphony",
        "Symphonist",
    ]


def test_compounds_are_marked_by_their_parts() -> None:
    text = "Ein Schlepper und das Donaudampfschiff. Viel Dampf."
    assert marked(marker("schiff", language="de").make_snippet(text, "de")) == ["Donaudampfschiff"]
    assert marked(marker("dampfmaschine", language="de").make_snippet(text, "de")) == [
        "Donaudampfschiff",
        "Dampf",
    ]
    assert marked(marker("schlepper", language="de").make_snippet(text, "de")) == ["Schlepper"]


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("comprehension", "comprehensive"),
        ("comprehension", "comprehensions"),
        ("animal", "animation"),
        ("universe", "university"),
        ("organ", "organization"),
        ("wood", "woods"),
        ("studies", "studious"),
    ],
)
def test_a_word_is_marked_if_it_alone_lets_the_page_be_found(asked: str, written: str) -> None:
    """The stem would take animal and animation for one word; the index does not, and the snippet says what the index found."""
    text = f"Here is {written}."
    index = library(entry(77, title="Found", main=text, language="en"))
    is_found = "Found" in [answer.title for answer in search(index, asked).answers]
    assert marked(marker(asked).make_snippet(text, "en")) == [written] * is_found
