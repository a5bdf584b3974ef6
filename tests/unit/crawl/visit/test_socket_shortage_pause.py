from gossamer.crawl.visit.socket_shortage_pause import (
    FORGOTTEN_S,
    LONGEST_S,
    REPEAT_S,
    SHORTEST_S,
    ShortagePause,
)

NOON_S = 1_800_000_000.0


def test_nothing_is_taken_for_a_while_and_then_half_as_much_at_once() -> None:
    pause = ShortagePause()
    assert pause.record("no descriptors", NOON_S, under_way=20)
    assert pause.until_s == NOON_S + SHORTEST_S
    assert pause.limit_visits(64, NOON_S) == 0
    assert pause.limit_visits(64, pause.until_s) == 10
    assert pause.limit_visits(5, pause.until_s) == 5
    assert pause.limit_visits(64, pause.until_s + 6.0) == 16
    assert pause.limit_visits(64, pause.until_s + 600.0) == 64


def test_shortages_of_the_same_moment_are_one() -> None:
    pause = ShortagePause()
    assert [pause.record("no descriptors", NOON_S, under_way=20 - each) for each in range(10)].count(
        True
    ) == 1
    assert pause.until_s == NOON_S + SHORTEST_S
    assert pause.limit_visits(64, pause.until_s) == 10


def test_the_wait_grows_while_nothing_is_under_way_that_could_leave_room() -> None:
    pause, now_s, waits_s = ShortagePause(), NOON_S, []
    for _ in range(9):
        pause.record("no descriptors", now_s, under_way=1)
        waits_s.append(pause.until_s - now_s)
        now_s = pause.until_s
    assert waits_s[:3] == [SHORTEST_S, 2 * SHORTEST_S, 4 * SHORTEST_S]
    assert waits_s[-1] == LONGEST_S
    assert pause.limit_visits(64, now_s) == 1
    now_s += FORGOTTEN_S
    pause.record("no descriptors", now_s, under_way=1)
    assert pause.until_s - now_s == SHORTEST_S


def test_each_shortage_is_reported_now_and_then() -> None:
    pause = ShortagePause()
    assert pause.record("no descriptors", NOON_S, 1)
    assert not pause.record("no descriptors", NOON_S + REPEAT_S / 2, 1)
    assert pause.record("no ports", NOON_S + REPEAT_S / 2, 1)
    assert pause.record("no descriptors", NOON_S + REPEAT_S, 1)
