import random
from collections import Counter

import pytest

from gossamer.search.clusters.cluster_answers import MOST_GROUPS, cluster_answers
from gossamer.search.clusters.cluster_records import AnswerGroups, AnswerText, TermSample
from gossamer.search.clusters.sample_terms import count_terms, join_samples
from gossamer.search.terms.analysis import split_text

CARS = [
    "Jaguar Cars: the new luxury car with a V8 engine",
    "Used Jaguar cars, every luxury car of the dealer has a new engine",
    "The luxury car dealer: Jaguar Cars and engine parts",
]
CATS = [
    "The jaguar is a big cat of the rain forest in Brazil",
    "A big cat: where the jaguar hunts in the rain forest",
    "Rain forest of the Amazon, home of the jaguar and other big cats",
]
CONSOLES = ["Atari Jaguar console games", "Games for the Atari Jaguar, a console of 1993"]
ELSEWHERE = [
    "The new dealer of the city has a home in Brazil",
    "Official site: home page, news and other parts of this site",
    "Where to find other pages: a new home page",
]


def make_answers(texts: list[str], language: str = "en") -> list[AnswerText]:
    return [AnswerText(text, "", "", language) for text in texts]


def list_groups(found: AnswerGroups) -> list[set[int]]:
    return [set(group.answers) for group in found.groups]


def check_whole(found: AnswerGroups, count: int) -> None:
    """Check what holds for all groups: each answer is somewhere, and no label is empty or twice."""
    everywhere = {at for group in found.groups for at in group.answers} | set(found.rest)
    assert everywhere == set(range(count))
    assert len(found.home) == count
    assert len(found.groups) + bool(found.rest) <= MOST_GROUPS
    labels = [group.label for group in found.groups]
    assert all(labels)
    assert len({frozenset(split_text(label)) for label in labels}) == len(labels)
    for number, group in enumerate(found.groups):
        assert list(group.answers) == sorted(set(group.answers))
        assert {at for at in range(count) if found.home[at] == number} <= set(group.answers)


@pytest.fixture(scope="module")
def sample() -> TermSample:
    return count_terms(make_answers(CARS + CATS + CONSOLES + ELSEWHERE * 20))


def test_answers_about_one_thing_are_one_group_with_a_phrase_as_label(sample: TermSample) -> None:
    found = cluster_answers(make_answers(CARS + CATS + CONSOLES), "jaguar", sample)
    check_whole(found, 8)
    assert list_groups(found) == [{0, 1, 2}, {3, 4, 5}, {6, 7}]
    labels = [group.label for group in found.groups]
    assert labels[0].lower() in ("luxury car", "jaguar cars")
    assert labels[1].lower() in ("rain forest", "big cat")
    assert labels[2] == "Atari Jaguar"


def test_an_answer_that_shares_nothing_is_in_the_rest(sample: TermSample) -> None:
    found = cluster_answers(make_answers([*CARS, "Zyzzyva quux"]), "jaguar", sample)
    assert found.rest == (3,)
    assert found.home[3] == -1


def test_an_answer_between_two_groups_is_in_both(sample: TermSample) -> None:
    both = "A luxury car in the rain forest"
    found = cluster_answers(make_answers([*CARS * 5, *CATS * 5, both]), "jaguar", sample)
    assert [len(group.answers) for group in found.groups] == [16, 16]
    assert all(30 in group.answers for group in found.groups)
    check_whole(found, 31)


@pytest.mark.parametrize("texts", [[], ["One answer about steam"], [""], ["", ""], ["…", "   ", "\x00\n"]])
def test_few_or_empty_answers_have_no_groups(texts: list[str]) -> None:
    found = cluster_answers(make_answers(texts), "steam")
    assert found.groups == ()
    assert found.rest == tuple(range(len(texts)))


def test_answers_that_are_all_the_same_are_one_group() -> None:
    found = cluster_answers(make_answers(["Steam engines in mines"] * 50), "engine")
    check_whole(found, 50)
    assert list_groups(found) == [set(range(50))]
    assert found.groups[0].label == "Steam engines in mines"[:13]


def test_a_label_is_never_the_query_alone() -> None:
    found = cluster_answers(
        make_answers(["Steam engine", "Steam engines", "The steam engine"]), "steam engines"
    )
    assert found.groups == ()
    assert found.rest == (0, 1, 2)


def test_labels_are_whole_phrases_without_stop_words_at_their_ends(sample: TermSample) -> None:
    texts = [
        "Flown: the B-52 Stratofortress",
        "B-52 Stratofortress of Boeing",
        "The B-52 Stratofortress and it",
    ]
    found = cluster_answers(make_answers([*texts, *CATS]), "B-52", sample)
    assert found.groups[0].label == "B-52 Stratofortress"


def test_hostile_titles_leave_no_control_characters_in_labels() -> None:
    hostile = "\x1b[31mRed\x07 <script>alert(1)</script> \u202eback\u202c {{7*7}} " + "A" * 100_000
    answers = [AnswerText(hostile, hostile, "javascript:" + hostile, "xx")] * 5
    found = cluster_answers([*answers, *make_answers(CATS)], "(" * 500)
    check_whole(found, 8)
    assert all(one.label.isprintable() and len(one.label) <= 60 for one in found.groups)
    assert not any(set(one.label) & set("<>{}[]()\u202e") for one in found.groups)


@pytest.mark.parametrize(
    ("language", "texts", "label"),
    [
        (
            "de",
            ["Der Jaguar im Regenwald", "Im Regenwald lebt der Jaguar", "Regenwald und Jaguar"],
            "Regenwald",
        ),
        ("ru", ["Ягуар в лесу Амазонки", "Амазонка: леса и ягуар", "Леса, где живёт ягуар"], "лес"),
        ("ja", ["ジャガーは熱帯雨林の動物", "熱帯雨林のジャガー", "熱帯雨林に住むジャガー"], "熱帯雨林"),
        ("ar", ["الغابة المطيرة والجاكوار", "جاكوار في الغابة المطيرة", "الغابة المطيرة"], "الغابة المطيرة"),
    ],
)
def test_other_languages_have_groups_with_labels_in_their_words(
    language: str, texts: list[str], label: str
) -> None:
    query = {"ru": "ягуар", "ja": "ジャガー", "ar": "جاكوار"}.get(language, "Jaguar")
    found = cluster_answers(make_answers(texts, language), query)
    assert list_groups(found) == [{0, 1, 2}]
    assert label[:3].lower() in found.groups[0].label.lower()


@pytest.mark.slow
def test_a_thousand_answers_make_at_most_twenty_groups() -> None:
    dice = random.Random(1)
    words = [f"topic{number}" for number in range(60)]
    texts = [
        " ".join([words[at % 60]] * 2 + [f"w{dice.randrange(2000)}" for _ in range(20)]) for at in range(1000)
    ]
    found = cluster_answers(make_answers(texts), "query")
    check_whole(found, 1000)
    assert len(found.groups) + bool(found.rest) == MOST_GROUPS
    truth = Counter(at % 60 for at in found.groups[0].answers)
    assert truth.most_common(1)[0][1] >= 10


def test_a_group_of_nearly_all_answers_is_split() -> None:
    texts = [
        f"steam pumps {'mines of Cornwall coal' if at % 2 else 'boats on the river'}" for at in range(40)
    ]
    found = cluster_answers(make_answers(texts), "engine")
    assert max(len(group.answers) for group in found.groups) <= 20
    assert len(found.groups) == 2


def test_samples_of_several_webs_are_added() -> None:
    one, two = count_terms(make_answers(CARS)), count_terms(make_answers(CATS))
    joined = join_samples([one, two])
    assert joined is not None
    assert joined.pages == 6
    assert joined.counts["jaguar"] == 6
    assert join_samples([]) is None


def test_a_query_that_finds_the_whole_collection_has_groups_too() -> None:
    answers = make_answers([*CARS * 5, *CATS * 5, *CONSOLES * 5])
    found = cluster_answers(answers, "jaguar", count_terms(answers))
    check_whole(found, len(answers))
    assert [len(group.answers) for group in found.groups] == [15, 15, 10]
