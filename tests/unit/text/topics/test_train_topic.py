"""Topics are learnt from few or many examples, and unusable examples give a helpful error."""

import pytest
from tests.unit.text.topics.topic_pages import COOKING, GENERAL, STARS, page, pages

from gossamer.errors import BadInput
from gossamer.text.topics import KINDS, Example, Kind, train_topic


def test_training_is_deterministic() -> None:
    first, second = (train_topic(pages(COOKING, 8), pages(STARS, 9)) for _ in range(2))
    assert first.save() == second.save()


@pytest.mark.parametrize("kind", ["linear", "cosine"])
def test_one_text_is_enough_to_find_similar_pages(kind: Kind) -> None:
    model = train_topic(
        [Example("garlic and onion soup with cheese, bread and butter")], pages(GENERAL, 40), kind
    )
    assert model.card.tried is None
    ranked = sorted([page(COOKING, 7), page(STARS, 7)], key=model.score)
    assert ranked[-1] == page(COOKING, 7)
    assert (
        model.relevance("an onion soup with garlic and cheese")
        > 0.5
        > model.relevance(page(GENERAL, 77).text)
    )


def test_one_page_on_each_side_is_enough() -> None:
    model = train_topic([page(COOKING, 1)], [page(STARS, 1)])
    assert model.relevance(page(COOKING, 2).text) > model.relevance(page(STARS, 2).text)


def test_titles_of_linking_pages_count() -> None:
    lists = {"Recipes of the house": True, "Observatories": False}
    by_side: dict[bool, list[Example]] = {True: [], False: []}
    for title, side in lists.items():
        by_side[side] = [
            Example(page(GENERAL, seed + side).text, linked_from=(title,)) for seed in range(0, 40, 2)
        ]
    model = train_topic(by_side[True], by_side[False])
    text = page(GENERAL, 999).text
    assert model.relevance(text, linked_from=["All recipes"]) > 0.8
    assert model.relevance(text, linked_from=["Observatories"]) < 0.2
    assert model.relevance_of_words("more", linked_from="All recipes") > model.relevance_of_words("more")


def test_a_prior_replaces_the_share_of_the_examples() -> None:
    examples, against = pages(COOKING, 5), [*pages(STARS, 60), *pages(GENERAL, 60)]
    mixed = page([*COOKING, *STARS], 5)
    as_given, as_if_even = (train_topic(examples, against, prior=prior) for prior in (None, 0.5))
    assert as_if_even.relevance_many([mixed])[0] > as_given.relevance_many([mixed])[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("examples", "against", "message"),
    [
        ([], pages(STARS, 3), "no examples of the topic"),
        (pages(STARS, 3), [], "nothing against the topic"),
        (pages(STARS, 3), pages(STARS, 3), "all alike"),
        ([Example("same")] * 3, [Example("same")] * 5, "all alike"),
        ([Example("")], [Example("", title=" ")], "no words in common"),
    ],
)
def test_unusable_examples_are_refused(
    examples: list[Example], against: list[Example], message: str, kind: Kind
) -> None:
    with pytest.raises(BadInput, match=message):
        train_topic(examples, against, kind)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no kind of model 'tree'; there are linear, bayes, cosine"):
        train_topic(pages(STARS, 2), pages(COOKING, 2), "tree")  # type: ignore[arg-type]


# The same words in another order.
ALIKE = [Example(" ".join([*GENERAL[turn:], *GENERAL[:turn]])) for turn in range(20)]


def test_a_topic_that_matches_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match=r"matches nothing, not even its examples"):
        train_topic(ALIKE[:2], ALIKE[2:], "bayes")
    noise = [page(GENERAL, seed, f"host{seed}") for seed in range(100, 160)]
    with pytest.raises(BadInput, match=r"matches nothing"):
        train_topic(noise[:10], noise[10:])


def test_a_topic_that_matches_everything_is_refused() -> None:
    with pytest.raises(BadInput, match=r"matches everything"):
        train_topic(ALIKE[2:], ALIKE[:2], "bayes")
    noise = [page(GENERAL, seed, f"host{seed}") for seed in range(100, 160)]
    with pytest.raises(BadInput, match=r"matches everything"):
        train_topic(noise[10:], noise[:10])


def test_rare_words_of_few_examples_count() -> None:
    model = train_topic([Example("the baryton trios of Esterháza")], pages(GENERAL, 60))
    assert model.relevance("a baryton") > 0.5
