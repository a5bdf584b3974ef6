from pathlib import Path

import pytest
from tests.unit.context.passages.webs import ADDRESSES, OVEN, make_web
from tests.unit.search.texts import entry

from gossamer.broker.ask_webs import ask_webs
from gossamer.broker.broker import open_many
from gossamer.context.passages.find_passages import find_passages
from gossamer.context.passages.passage_records import AskOptions
from gossamer.errors import BadInput, NoIndex
from gossamer.search.index.search_index import Index
from gossamer.web import Web


def test_a_passage_is_cited_word_for_word(web: Web) -> None:
    found = web.ask("How long does baking bread take?", words=30)
    best = found.passages[0]
    assert best.url == ADDRESSES[0]
    assert "forty minutes" in best.text
    assert OVEN[best.offset : best.offset + len(best.text)] == best.text
    assert best.headings == ("Ovens", "Baking bread")
    assert best.title == "Bread and ovens"
    assert best.date_s == 1_700_000_000.0
    assert best.link.startswith(f"{ADDRESSES[0]}#:~:text=")
    assert {best.text[begin:end] for begin, end in best.marks} == {"Baking", "bread", "takes"}
    assert "".join(piece for piece, _ in best.pieces()) == best.text


def test_near_copies_are_one_passage(web: Web) -> None:
    found = web.ask("baking bread minutes", words=30)
    assert [copy.url for copy in found.passages[0].copies] == [ADDRESSES[1]]
    assert sum("forty" in one.text for one in found.passages) == 1


def test_passages_do_not_overlap_and_keep_their_length(web: Web) -> None:
    found = web.ask("bread oven dough brush", passages=20, words=20)
    assert [one.rank for one in found.passages] == list(range(1, len(found.passages) + 1))
    places = [(one.url, one.offset, one.offset + len(one.text)) for one in found.passages]
    for at, (url, begin, end) in enumerate(places):
        assert not any(
            url == other and begin < last and first < end for other, first, last in places[at + 1 :]
        )
    assert max(len(one.text.split()) for one in found.passages) <= 20


def test_pages_can_be_limited_by_language_and_site(web: Web) -> None:
    assert [one.language for one in web.ask("Brot Ofen", language="de").passages] == ["de"]
    assert {one.site for one in web.ask("bread", site="copy.example").passages} == {"copy.example"}
    assert not web.ask("bread", site="../../etc").passages


@pytest.mark.parametrize(
    ("question", "options", "sentence"),
    [
        ("", {}, "the question is empty"),
        (" \n", {}, "the question is empty"),
        ("?!", {}, "no words"),
        ("x" * 3_000, {}, "at most 2,000"),
        ("bread", {"language": "tlh"}, "no page of this collection is in the language 'tlh'"),
        ("bread", {"words": 5}, "words"),
        ("bread", {"passages": 0}, "passages"),
        ("bread", {"colour": "red"}, "colour"),
    ],
)
def test_wrong_questions_get_a_sentence(
    web: Web, question: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        web.ask(question, **options)


def test_a_question_without_an_answer_says_so(web: Web) -> None:
    found = web.ask("zyzzyva")
    assert (found.passages, found.pages) == ((), 0)
    assert found.notes == ("No page of this collection has these words.",)


def test_a_web_without_text_has_no_passages(tmp_path: Path) -> None:
    with Web(make_web(tmp_path / "empty.web", [])) as web:
        assert web.ask("bread").notes == ("No page of this collection has these words.",)
    with Web(tmp_path / "new.web") as web, pytest.raises(NoIndex, match="no index yet"):
        web.ask("bread")


def test_common_words_choose_the_passage_within_a_page() -> None:
    filler = "\n".join(f"Line {number} says that a kettle whistles often." for number in range(60))
    text = f"{filler}\nA kettle holds two litres of water.\n{filler}"
    more = [entry(100 + number, main="water is wet and litres are units") for number in range(40)]
    index = Index()
    writer = index.writer()
    for one in (*more, entry(1, title="Kettles", main=text, language="en")):
        writer.add(one)
    writer.commit()
    best = find_passages(index, "how many litres of water does a kettle hold", AskOptions(words=30)).passages[
        0
    ]
    assert "two litres" in best.text


def test_more_pages_are_read_when_the_best_are_copies_of_one_another() -> None:
    same = "The tide turns at noon, when boats leave the harbour for the islands in the west."
    index = Index()
    writer = index.writer()
    for number in range(30):
        writer.add(entry(number, title="Tide", main=same, language="en"))
    writer.add(
        entry(99, main="Nobody there knew when the tide would come back to the old mill.", language="en")
    )
    writer.commit()
    found = find_passages(index, "tide", AskOptions(passages=2))
    assert found.pages > 10
    assert len(found.passages) == 2
    assert len(found.passages[0].copies) == 10


def test_several_webs_are_asked_as_one(web: Web, tmp_path: Path) -> None:
    other = make_web(tmp_path / "other.web", [entry(5, title="Rye", main="Rye bread keeps for a week.")])
    with open_many([web.folder, other, tmp_path / "none.web"]) as broker:
        found = ask_webs(broker, "how long does rye bread keep", passages=3)
    assert found.passages[0].text == "Rye bread keeps for a week."
    assert found.passages[0].origin == str(other)
    assert {one.origin for one in found.passages} == {str(web.folder), str(other)}
    assert any("none.web was left out" in note for note in found.notes)


def test_bad_input_to_several_webs_is_refused(web: Web, tmp_path: Path) -> None:
    both = [web.folder, make_web(tmp_path / "other.web", [])]
    with open_many(both) as broker, pytest.raises(BadInput, match="the question is empty"):
        ask_webs(broker, " ")
