"""Topics that were learnt by each version of the program still judge as they did: words have the hashes they had."""

from pathlib import Path

import pytest

from gossamer.text.topics import TopicModel

# One model of each kind, learnt from a few pages about cooking and about stars, and what it said then of three texts.
SAID = {
    "topic-1-bayes": (1.0, 0.0, 0.9914),
    "topic-1-cosine": (0.5623, 0.0011, 0.5031),
    "topic-1-linear": (0.948, 0.31, 1.0),
}


def test_there_is_one_of_each_kind() -> None:
    assert {path.stem for path in Path(__file__).parent.glob("topic-*.bin")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_it_judges_as_it_did(name: str) -> None:
    path = Path(__file__).with_name(f"{name}.bin")
    model = TopicModel.load(path.read_bytes(), path.name)
    assert model.kind == name.rpartition("-")[2]
    about = model.relevance("Soup with onion, garlic and cheese; bread and butter.", title="Recipe 12")
    other = model.relevance("The moon, a planet and a comet seen by telescope.", title="Orbit 99")
    assert (about, other, model.relevance_of_words("garlic soup")) == pytest.approx(SAID[name], abs=1e-4)
