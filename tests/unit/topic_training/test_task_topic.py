"""The topic of a crawl is parsed, learnt and named."""

from pathlib import Path

import pytest

from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.store.model_folder import topic_model, topic_names
from gossamer.topic_training.example_sources import TopicRequest
from gossamer.topic_training.task_topic import check_topic, describe_few_examples, parse_topic, resolve_topic
from gossamer.web import Web


@pytest.mark.parametrize(
    ("topic", "wanted"),
    [
        ("stars and planets", TopicRequest(text="stars and planets")),
        ("text:stars", TopicRequest(text="stars")),
        ("query: stars", TopicRequest(query="stars")),
        ("judged:sample", TopicRequest(judged="sample")),
        (
            "http://a.example/ https://b.example/x",
            TopicRequest(examples=["http://a.example/", "https://b.example/x"]),
        ),
        ("stars: and planets", TopicRequest(text="stars: and planets")),
        ("stars", None),
        ("text:", None),
    ],
)
def test_a_topic_is_given_in_words_or_by_pages(topic: str, wanted: TopicRequest | None) -> None:
    assert parse_topic(topic) == wanted


def test_a_file_and_a_folder_are_examples(tmp_path: Path) -> None:
    file = tmp_path / "two words.txt"
    file.write_text("telescopes show planets and comets")
    for path in (str(file), str(tmp_path)):
        assert parse_topic(path) == TopicRequest(examples=(path,))


def test_a_changed_file_is_another_topic(tmp_path: Path) -> None:
    file, folder = tmp_path / "Stars!.txt", tmp_path / "web"
    with Web(folder) as web:
        names = []
        for text in ("telescopes show planets", "telescopes show comets", "telescopes show planets"):
            file.write_text(f"{text} and moons, galaxies and nebulae in the night sky")
            names.append(resolve_topic(TaskSpec(topic=str(file)), web).topic)
        assert names[0] == names[2] != names[1]
        assert topic_names(folder) == sorted(set(names))
        assert topic_model(folder, names[0]).relevance("moons and planets and galaxies in telescopes") > 0.5
        assert resolve_topic(TaskSpec(topic=names[1]), web).topic == names[1]


def test_a_topic_of_few_examples_is_described_as_such(tmp_path: Path) -> None:
    with Web(tmp_path / "web") as web:
        name = resolve_topic(TaskSpec(topic="telescopes show planets and comets"), web).topic
        note = describe_few_examples(name, web.folder)
        assert topic_model(web.folder, name).kind == "cosine"
    assert note.startswith(f"The topic {name} has one example, too few to know how good it is")


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("stars", "it has none; to use the word itself, write text:stars"),
        ("http://a.example/", "the web has no text of http://a.example/: crawl it first, or name a file"),
        ("judged:sample", "sample"),
    ],
)
def test_an_unusable_topic_is_refused(tmp_path: Path, topic: str, message: str) -> None:
    with Web(tmp_path / "web") as web, pytest.raises(BadInput, match=message):
        resolve_topic(TaskSpec(topic=topic), web)


def test_a_topic_is_checked_before_the_web_exists(tmp_path: Path) -> None:
    folder = tmp_path / "none.web"
    for topic in ("", "moons and planets", "text:stars", "http://a.example/", str(tmp_path)):
        check_topic(topic, folder)
    with pytest.raises(BadInput, match="has no topic 'stars', it has none"):
        check_topic("stars", folder)
    assert not folder.exists()
