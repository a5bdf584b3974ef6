"""A topic dictionary is a text that you can read and edit; other texts are refused with a reason."""

import pytest
from tests.unit.text.topics.topic_pages import COOKING, STARS, page, pages

from gossamer.errors import BadInput
from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.text.topics.dictionary_file import find_id
from gossamer.text.topics.features.count_words import count_words


@pytest.fixture(scope="module")
def text() -> str:
    return train_topic(pages(COOKING, 20), pages(STARS, 30), "dictionary").save().decode()


def load(text: str) -> TopicModel:
    return TopicModel.load(text.encode(), "cooking.txt")


def test_a_dictionary_lists_its_words_with_weights(text: str) -> None:
    lines = text.splitlines()
    assert lines[0] == "gossamer topic dictionary 1"
    assert lines[-1] == "end"
    words = dict(line.split("\t")[::-1] for line in lines if "\t" in line)
    assert float(words["garlic"]) > 0 > float(words["telescope"])


def test_an_edited_word_counts(text: str) -> None:
    paella = Example("paella with saffron")
    before = load(text)
    after = load(text.removesuffix("end") + "2.5 paella\n3 saffron paella\n1 with saffron\nend\n")
    assert before.relevance(paella.text) < 0.9 < after.relevance(paella.text)
    assert after.card.words[-1] == ("with saffron", 1.0)
    without = "\n".join(line for line in text.splitlines() if not line.endswith("\tgarlic"))
    assert load(without).score(Example("garlic")) < before.score(Example("garlic"))


def test_windows_line_ends_and_marks_are_accepted(text: str) -> None:
    edited = b"gossamer" + text.replace("\n", "\r\n").encode()[8:]
    one = page(COOKING, 3)
    assert TopicModel.load(edited).score(one) == load(text).score(one)


@pytest.mark.parametrize(
    "word", ["onion", "onion soup", "title: onion", "title: onion soup", "cs###", "東 京"]
)
def test_words_have_the_hashes_of_pages(word: str) -> None:
    field, _, rest = word.rpartition(": ")
    ids, _ = count_words([(bool(field), (rest or word).replace("#", "7"), True)])
    assert find_id(word) in ids


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("garlic", "line 6 of cooking.txt must be a weight and a word"),
        ("nan garlic", "must be a weight and a word"),
        ("1.5", "must be a weight and a word"),
        ("1.5 ...", "one word or two neighbouring words"),
        ("1.5 soup of the day", "one word or two neighbouring words"),
    ],
)
def test_lines_that_are_no_words_are_named(text: str, line: str, message: str) -> None:
    lines = text.splitlines()
    with pytest.raises(BadInput, match=message):
        load("\n".join([*lines[:5], line, *lines[5:]]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"gossamer topic dictionary 2\nend", "later version"),
        (b"gossamer topic dictionary 1\nend", "no card"),
        (b"gossamer topic dictionary 1\n1 soup", "last line must be `end`"),
        (b"gossamer topic dictionary 1\n\xff\nend", "not UTF-8"),
        (b"gossamer topic dictionary 1\ncard: {}\nend", "card cannot be read"),
        (
            b'gossamer topic dictionary 1\ncard: {"kind":"linear","examples":1,"against":1}\nend',
            "another kind",
        ),
        (
            b'gossamer topic dictionary 1\ncard: {"kind":"dictionary","examples":1,"against":1}\nend',
            "no words",
        ),
        (b"1.5 soup\nend", "not a model of a topic"),
    ],
)
def test_other_texts_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        TopicModel.load(content, "cooking.txt")


def test_a_dictionary_needs_words_in_common() -> None:
    with pytest.raises(BadInput, match="no words in common"):
        train_topic([Example("onion")], [Example("moon")], "dictionary")
