"""Noise is learnt from looks and from days; what people write is not taken for it."""

import itertools

from gossamer.watch.difference.find_edits import Edit, find_edits
from gossamer.watch.difference.page_noise import (
    KnownNoise,
    learn_from_days,
    learn_from_looks,
    leave_out_noise,
)
from gossamer.watch.difference.part_text import PageVersion, TextBlock

ADS = ("buy red umbrellas while they last", "ten percent off every kettle", "learn the trombone at home")
DAY_S = 86_400.0


def make(*texts: str, when_s: float = 0.0) -> PageVersion:
    return PageVersion(when_s, tuple(TextBlock(text) for text in texts))


def tell(noise: KnownNoise, old: PageVersion, new: PageVersion) -> list[Edit]:
    return leave_out_noise(find_edits(old, new), noise, old, new)


def test_a_session_number_is_learnt_from_two_looks() -> None:
    looks = make("a", "Your session is 8f3a, keep it.", "z"), make("a", "Your session is 77b1, keep it.", "z")
    noise = learn_from_looks(KnownNoise(), *looks)
    later = make("a", "Your session is c0de, keep it.", "z", when_s=DAY_S)
    assert tell(noise, looks[1], later) == []
    edited = make("a", "Your session is c0de, do not keep it.", "z", when_s=DAY_S)
    assert len(tell(noise, looks[1], edited)) == 1


def test_an_advertisement_is_learnt_by_its_place() -> None:
    looks = make("a", ADS[0], "z"), make("a", ADS[1], "z")
    noise = learn_from_looks(KnownNoise(), *looks)
    assert tell(noise, looks[1], make("a", ADS[2], "z")) == []


def test_what_is_written_beside_an_advertisement_is_told() -> None:
    looks = make("a", ADS[0], "z"), make("a", ADS[1], "z")
    noise = learn_from_looks(KnownNoise(), *looks)
    news = "a person wrote this"
    for new in (
        make("a", news, ADS[1], "z"),
        make("a", ADS[2], news, "z"),
        make("a", "z"),
        make("a", ADS[1], news, "z"),
    ):
        assert tell(noise, looks[1], new), new


def test_an_advertisement_is_known_when_one_neighbour_was_edited() -> None:
    looks = make("a", ADS[0], "the shop opens at nine"), make("a", ADS[1], "the shop opens at nine")
    noise = learn_from_looks(KnownNoise(), *looks)
    told = tell(noise, looks[1], make("a", ADS[2], "the shop opens at ten"))
    assert [edit.added for edit in told] == [("the shop opens at ten",)]


def test_looks_that_are_far_apart_teach_nothing() -> None:
    old, new = make("a", "one thing", "z"), make("a", "another matter", "z", when_s=2 * 3600.0)
    assert learn_from_looks(KnownNoise(), old, new) == KnownNoise()


def test_numbers_that_change_every_day_are_learnt_after_three() -> None:
    noise = KnownNoise()
    days = [make("a", f"Issue {900 + day} of the paper", "z", when_s=day * DAY_S) for day in range(6)]
    told = []
    for old, new in itertools.pairwise(days):
        noise = learn_from_days(noise, old, new)
        told.append(len(tell(noise, old, new)))
    assert told == [1, 1, 0, 0, 0]


def test_a_number_that_changes_now_and_then_is_always_told() -> None:
    noise = KnownNoise()
    prices = [20, 20, 21, 21, 21, 22, 22, 22, 22, 23]
    days = [
        make("a", f"One ticket is {price} crowns", "z", when_s=at * DAY_S) for at, price in enumerate(prices)
    ]
    told = 0
    for old, new in itertools.pairwise(days):
        noise = learn_from_days(noise, old, new)
        told += len(tell(noise, old, new))
    assert told == 3


def test_words_that_change_every_day_are_content() -> None:
    noise = KnownNoise()
    days = [
        make("a", f"{name} wins the race of the day", "z", when_s=at * DAY_S)
        for at, name in enumerate("ABCDEF")
    ]
    for old, new in itertools.pairwise(days):
        noise = learn_from_days(noise, old, new)
        assert len(tell(noise, old, new)) == 1
