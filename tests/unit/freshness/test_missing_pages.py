"""Missing pages are left alone for growing pauses, and given up at last."""

import pytest

from gossamer.freshness.change_history import DAY_S
from gossamer.freshness.learn_from_visit import begin_history, record_unchanged
from gossamer.freshness.missing_pages import pause_days, record_absence

NOON_S = 1.8e9


@pytest.mark.parametrize(
    ("why", "days", "out"),
    [
        ("404", (0, 1, 3), False),
        ("404", (0, 7), False),
        ("404", (0, 3, 7), True),
        ("410", (0, 2), True),
        ("301", (0, 7), True),
        ("timeout", (0, 10, 20, 29, 31), True),
        ("503", (0, 3, 7), False),
        ("refused", (0, 10, 1000), False),
    ],
)
def test_a_missing_page_is_given_up_after_its_period_of_grace(
    why: str, days: tuple[int, ...], out: bool
) -> None:
    note = begin_history(NOON_S, 7)
    for day in days:
        note = record_absence(note, NOON_S + day * DAY_S, why)
    assert note.out is out
    back = record_unchanged(note, NOON_S + 2000 * DAY_S, checked=True)
    assert (back.out, back.gone_s, back.gone_times) == (False, 0.0, 0)


def test_pauses_grow_up_to_a_week() -> None:
    assert [pause_days(times) for times in range(6)] == [0.0, 1.0, 2.0, 4.0, 7.0, 7.0]
