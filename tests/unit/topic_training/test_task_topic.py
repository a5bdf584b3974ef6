"""What people say is the topic of a crawl is understood as they mean it."""

from pathlib import Path

import pytest

from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.store.model_folder import topic_model, topic_names
from gossamer.topic_training.example_sources import Wanted
from gossamer.topic_training.task_topic import check_told, wanted_by, with_topic
from gossamer.web import Web


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("stars and planets", Wanted(text="stars and planets")),
        ("text:stars", Wanted(text="stars")),
        ("query: stars", Wanted(query="stars")),
        ("judged:sample", Wanted(judged="sample")),
        (
            "http://a.example/ https://b.example/x",
            Wanted(examples=["http://a.example/", "https://b.example/x"]),
        ),
        ("stars: and planets", Wanted(text="stars: and planets")),
        ("stars", None),
        ("text:", None),
    ],
)
def test_a_topic_is_told_in_words_or_by_pages(told: str, meant: Wanted | None) -> None:
    assert wanted_by(told) == meant


def test_a_file_and_a_folder_are_examples(tmp_path: Path) -> None:
    file = tmp_path / "two words.txt"
    file.write_text("telescopes show planets and comets")
    for path in (str(file), str(tmp_path)):
        assert wanted_by(path) == Wanted(examples=(path,))


def test_a_changed_file_is_another_topic_and_the_same_one_is_not(tmp_path: Path) -> None:
    file, folder = tmp_path / "Stars!.txt", tmp_path / "web"
    with Web(folder) as web:
        names = []
        for text in ("telescopes show planets", "telescopes show comets", "telescopes show planets"):
            file.write_text(f"{text} and moons, galaxies and nebulae in the night sky")
            names.append(with_topic(TaskSpec(topic=str(file)), web).topic)
        assert names[0] == names[2] != names[1]
        assert topic_names(folder) == sorted(set(names))
        assert topic_model(folder, names[0]).relevance("moons and planets and galaxies in telescopes") > 0.5
        assert with_topic(TaskSpec(topic=names[1]), web).topic == names[1]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("stars", "it has none; to mean the word itself write text:stars"),
        ("http://a.example/", "the web has no text of http://a.example/: crawl it first, or name a file"),
        ("judged:sample", "sample"),
    ],
)
def test_what_cannot_be_meant_is_said(tmp_path: Path, told: str, said: str) -> None:
    with Web(tmp_path / "web") as web, pytest.raises(BadInput, match=said):
        with_topic(TaskSpec(topic=told), web)


def test_what_can_be_learnt_is_let_pass_before_there_is_a_web(tmp_path: Path) -> None:
    folder = tmp_path / "none.web"
    for told in ("", "moons and planets", "text:stars", "http://a.example/", str(tmp_path)):
        check_told(told, folder)
    with pytest.raises(BadInput, match="has no topic 'stars', it has none"):
        check_told("stars", folder)
    assert not folder.exists()
