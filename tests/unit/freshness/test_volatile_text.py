"""Text that changes at every visit is ignored, and no other."""

from itertools import pairwise

import pytest
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


def find_noise(*versions: str, gap_days: float = 3.0) -> list[bool]:
    """Return for each version but the first whether its changes count as noise."""
    places: Places = {}
    found = []
    for old, new in pairwise(versions):
        difference = compare_versions(digest_lines(old), digest_lines(new))
        places = update_places(difference, places, gap_days)
        found.append(is_noise(difference, places))
    return found


def test_a_counter_is_noise_from_the_third_time_on() -> None:
    assert find_noise(*(f"{STILL}\nVisitor no. {number}" for number in (7, 12, 15, 99, 100))) == [
        False,
        False,
        True,
        True,
    ]


def test_a_date_is_noise_in_any_language() -> None:
    days = ["Monday, 2 March", "Tuesday, 3 March", "Sunday, 1. April", "Freitag, 3. Mai", "Samstag, 4. Mai"]
    assert find_noise(*(f"Today is {day} 2026\n{STILL}" for day in days))[2:] == [True, True]


def test_a_quote_that_changes_within_the_hour_is_noise() -> None:
    sayings = ["Haste makes waste.", "Time flies.", "Still waters run deep.", "Honesty lasts.", "So it goes."]
    versions = [f"{STILL}\nThe saying of the day\n{saying}" for saying in sayings]
    assert find_noise(*versions, gap_days=0.02)[2:] == [True, True]


def test_text_that_may_have_been_edited_is_not_noise() -> None:
    news = ["The fair opens.", "The fair is full.", "The fair closes.", "Rain.", "Fine weather."]
    assert not any(find_noise(*(f"{STILL}\nNews of the town\n{story}" for story in news)))


def test_news_beside_a_counter_is_a_change() -> None:
    versions = [f"{STILL}\nVisitor no. {number}" for number in range(5)]
    versions.append(f"Fire in the town hall!\n{STILL}\nVisitor no. 6")
    assert find_noise(*versions)[-2:] == [True, False]


def test_text_that_changes_now_and_then_is_not_noise() -> None:
    prices = [10, 10, 11, 11, 11, 12, 12, 13, 13, 14]
    versions = [
        f"{STILL}\nA pound of butter costs {price}.\nVisitor no. {at}" for at, price in enumerate(prices)
    ]
    found = find_noise(*versions)
    changed = [new != old for old, new in pairwise(prices)]
    assert [is_noise for is_noise, news in zip(found, changed, strict=True) if news and is_noise] == []
    assert found[-2]  # the counter alone


def test_a_page_that_is_completely_new_has_changed() -> None:
    versions = ["\n".join(f"Story {at} of hour {hour}" for at in range(9)) for hour in range(6)]
    assert not any(find_noise(*versions))


@pytest.mark.slow
def test_the_number_of_places_of_a_host_is_limited() -> None:
    places: Places = {}
    for at in range(MOST_PLACES + 100):
        found = compare_versions(
            digest_lines(f"before {'x' * at}\nold"), digest_lines(f"before {'x' * at}\nnew")
        )
        places = update_places(found, places, 0.0)
    assert len(places) <= MOST_PLACES


@given(st.lists(st.text(), max_size=9), st.lists(st.text(), max_size=9))
def test_equal_versions_do_not_differ_and_blocks_survive_packing(old: list[str], new: list[str]) -> None:
    before, after = digest_lines("\n".join(old)), digest_lines("\n".join(new))
    found = compare_versions(before, after)
    assert bool(found.share) == (sorted(before) != sorted(after)) or {w for w, _ in before} == {
        w for w, _ in after
    }
    assert 0 <= found.share <= 1
    assert not found.new & found.stayed
    assert unpack_blocks(pack_blocks(before)) == before
