"""Topic models of earlier versions still give the same probabilities: the hashes of words are unchanged."""

from pathlib import Path

import pytest

from gossamer.text.topics import TopicModel

# One model of each kind, learnt from a few pages about cooking and stars, and its probabilities for three texts.
PROBABILITIES = {
    "topic-1-bayes": (1.0, 0.0, 0.9914),
    "topic-1-cosine": (0.5623, 0.0011, 0.5031),
    "topic-1-linear": (0.948, 0.31, 1.0),
}


def test_there_is_a_model_of_each_kind() -> None:
    assert {path.stem for path in Path(__file__).parent.glob("topic-*.bin")} == set(PROBABILITIES)


@pytest.mark.parametrize("name", PROBABILITIES)
def test_an_older_model_gives_the_same_probabilities(name: str) -> None:
    path = Path(__file__).with_name(f"{name}.bin")
    model = TopicModel.load(path.read_bytes(), path.name)
    assert model.kind == name.rpartition("-")[2]
    about = model.relevance("Soup with onion, garlic and cheese; bread and butter.", title="Recipe 12")
    other = model.relevance("The moon, a planet and a comet seen by telescope.", title="Orbit 99")
    assert (about, other, model.relevance_of_words("garlic soup")) == pytest.approx(
        PROBABILITIES[name], abs=1e-4
    )
