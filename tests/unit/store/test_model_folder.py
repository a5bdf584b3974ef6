"""A web uses its own models, or the shipped language model."""

from pathlib import Path

import pytest

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.model_folder import (
    keep_language_model,
    keep_topic_model,
    language_model,
    topic_model,
    topic_names,
)
from gossamer.text.language import Model
from gossamer.text.topics import Example, train_topic

SMALL = {"da": {"og": 3, "ikke": 1}, "de": {"und": 3, "nicht": 1}}


def test_a_web_uses_the_shipped_model_until_it_has_its_own(tmp_path: Path) -> None:
    assert language_model(tmp_path) is Model.load()
    path = keep_language_model(Model.from_lists(SMALL), tmp_path)
    assert path.parent == tmp_path / "models"
    assert language_model(tmp_path).languages == ("da", "de")
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    keep_language_model(Model.from_lists({"de": SMALL["de"]}), tmp_path)
    assert language_model(tmp_path).languages == ("de",)


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    path = keep_language_model(Model.from_lists(SMALL), tmp_path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(BadInput, match="damaged language model"):
        language_model(tmp_path)


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where a folder should be")
    with pytest.raises(StoreFailed, match="could not be written"):
        keep_language_model(Model.from_lists(SMALL), tmp_path)


def test_topics_are_found_by_their_names(tmp_path: Path) -> None:
    assert topic_names(tmp_path) == []
    model = train_topic([Example("soup and bread")], [Example("moon and stars")])
    for name in ("stars.2", "food"):
        keep_topic_model(model, tmp_path, name)
    assert topic_names(tmp_path) == ["food", "stars.2"]
    assert topic_model(tmp_path, "food").card == model.card
    with pytest.raises(BadInput, match=r"has no topic 'foot'; did you mean 'food'\?"):
        topic_model(tmp_path, "foot")


@pytest.mark.parametrize("name", ["", "../x", "a b", ".hidden", "x" * 101])
def test_topic_names_are_valid_file_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a topic"):
        topic_model(tmp_path, name)
