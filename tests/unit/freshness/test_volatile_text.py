"""What changes at every visit is learnt, and nothing else."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.volatile_text import (
    MOST_PLACES,
    Places,
    compare_versions,
    digest_lines,
    is_noise,
    pack_blocks,
    unpack_blocks,
    update_places,
)

STILL = "\n".join(f"Paragraph {name} stays." for name in "abcdefghijkl")


def seen(*versions: str, gap_days: float = 3.0) -> list[bool]:
    """Say of each version but the first whether what is new in it is taken for noise."""
    places: Places = {}
    found = []
    for old, new in pairwise(versions):
        differing = compare_versions(digest_lines(old), digest_lines(new))
        places = update_places(differing, places, gap_days)
        found.append(is_noise(differing, places))
    return found


def test_a_counter_is_noise_from_the_third_time_on() -> None:
    assert seen(*(f"{STILL}\nVisitor no. {number}" for number in (7, 12, 15, 99, 100))) == [
        False,
        False,
        True,
        True,
    ]


def test_so_is_a_date_whatever_the_day_is_called() -> None:
    days = ["Monday, 2 March", "Tuesday, 3 March", "Sunday, 1. April", "Freitag, 3. Mai", "Samstag, 4. Mai"]
    assert seen(*(f"Today is {day} 2026\n{STILL}" for day in days))[2:] == [True, True]


def test_so_is_a_saying_that_is_another_within_the_hour() -> None:
    sayings = ["Haste makes waste.", "Time flies.", "Still waters run deep.", "Honesty lasts.", "So it goes."]
    versions = [f"{STILL}\nThe saying of the day\n{saying}" for saying in sayings]
    assert seen(*versions, gap_days=0.02)[2:] == [True, True]


def test_but_not_what_may_be_written_by_somebody_since() -> None:
    news = ["The fair opens.", "The fair is full.", "The fair closes.", "Rain.", "Fine weather."]
    assert not any(seen(*(f"{STILL}\nNews of the town\n{story}" for story in news)))


def test_news_beside_a_counter_are_news() -> None:
    versions = [f"{STILL}\nVisitor no. {number}" for number in range(5)]
    versions.append(f"Fire in the town hall!\n{STILL}\nVisitor no. 6")
    assert seen(*versions)[-2:] == [True, False]


def test_what_changes_now_and_then_is_no_noise() -> None:
    prices = [10, 10, 11, 11, 11, 12, 12, 13, 13, 14]
    versions = [
        f"{STILL}\nA pound of butter costs {price}.\nVisitor no. {at}" for at, price in enumerate(prices)
    ]
    found = seen(*versions)
    changed = [new != old for old, new in pairwise(prices)]
    assert [is_noise for is_noise, news in zip(found, changed, strict=True) if news and is_noise] == []
    assert found[-2]  # the counter alone


def test_a_page_that_is_new_as_a_whole_has_changed_however_often_it_does() -> None:
    versions = ["\n".join(f"Story {at} of hour {hour}" for at in range(9)) for hour in range(6)]
    assert not any(seen(*versions))


def test_what_is_known_of_a_host_stays_small() -> None:
    places: Places = {}
    for at in range(MOST_PLACES + 100):
        found = compare_versions(
            digest_lines(f"before {'x' * at}\nold"), digest_lines(f"before {'x' * at}\nnew")
        )
        places = update_places(found, places, 0.0)
    assert len(places) <= MOST_PLACES


@given(st.lists(st.text(), max_size=9), st.lists(st.text(), max_size=9))
def test_versions_with_the_same_blocks_do_not_differ_and_blocks_can_be_kept(
    old: list[str], new: list[str]
) -> None:
    before, after = digest_lines("\n".join(old)), digest_lines("\n".join(new))
    found = compare_versions(before, after)
    assert bool(found.share) == (sorted(before) != sorted(after)) or {w for w, _ in before} == {
        w for w, _ in after
    }
    assert 0 <= found.share <= 1
    assert not found.new & found.stayed
    assert unpack_blocks(pack_blocks(before)) == before
