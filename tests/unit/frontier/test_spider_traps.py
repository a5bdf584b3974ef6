import random

import pytest

from gossamer.frontier.spider_traps import (
    CALENDAR_PAGES,
    FAMILY_PROBE,
    LONGEST_PATH,
    Trap,
    TrapDetector,
    find_family,
    find_shape_trap,
    is_dated,
)

HOST = "http://www.example.org"


def words(chance: random.Random) -> int:
    """Return the simhash of a page like no other."""
    return chance.getrandbits(63)


@pytest.mark.parametrize(
    ("url", "family"),
    [
        ("/calendar/2024/12", "/calendar/#/#"),
        ("/list?sort=name&page=3", "/list?sort=*&page=*"),
        ("/s/0a1b2c3d4e5f6a/x", "/s/@/x"),
        ("/about", "/about"),
    ],
)
def test_families_leave_open_what_a_script_would_fill_in(url: str, family: str) -> None:
    assert find_family(HOST + url) == HOST + family


@pytest.mark.parametrize(
    ("url", "dated"),
    [
        ("/calendar/2024/1", True),
        ("/cal?year=2031&month=7", True),
        ("/events/2024-05-17", True),
        ("/day/20240517", True),
        ("/month/202412", True),
        ("/month/202413", False),
        ("/notes/0/p2024.html", False),
        ("/p/7", False),
        ("/list?page=2024", False),
        ("/item/123456789", False),
        ("", False),
    ],
)
def test_dates_are_told_from_other_numbers(url: str, dated: bool) -> None:
    assert is_dated("http://10.2024.1.1" + url) == dated


def test_the_shape_of_a_url_can_be_enough() -> None:
    repeated = find_shape_trap(f"{HOST}/a/b/a/c/a/d/a/")
    assert repeated == Trap("path segment repeats", "www.example.org/…/a/…/a/…")
    endless = find_shape_trap(HOST + "/" + "/".join(f"d{n}" for n in range(LONGEST_PATH + 1)))
    assert endless
    assert endless.reason == "path without end"
    assert find_shape_trap(f"{HOST}/a/b/a/c/a/d/") is None
    assert find_shape_trap(HOST) is None


def test_a_trap_is_told_once_with_its_pattern() -> None:
    watch = TrapDetector()
    for n in range(5):
        assert watch.judge(f"{HOST}/x/x/x/x/{n}")
    assert watch.take_new_traps() == [Trap("path segment repeats", "www.example.org/…/x/…/x/…")]
    assert watch.take_new_traps() == []


def test_near_copies_under_one_pattern_close_it() -> None:
    watch, chance = TrapDetector(), random.Random(1)
    page = words(chance)
    for n in range(FAMILY_PROBE):
        assert watch.judge(f"{HOST}/view?id={n}") is None
        watch.record_page(f"{HOST}/view?id={n}", page ^ (1 << n % 3))
    [trap] = watch.take_new_traps()
    assert trap == Trap("near copies under one pattern", f"{HOST}/view?id=*")
    assert watch.judge(f"{HOST}/view?id=999") == trap
    assert watch.judge(f"{HOST}/view/999") is None


def test_pages_without_words_are_no_copies() -> None:
    watch = TrapDetector()
    for n in range(4 * FAMILY_PROBE):
        watch.record_page(f"{HOST}/app/{n}", 0)
    assert watch.take_new_traps() == []


def months(watch: TrapDetector, chance: random.Random, count: int, brought: list[str]) -> None:
    """Turn the leaves of a calendar: each is found on the one before, and leads to the next."""
    for n in range(count):
        here = f"{HOST}/calendar/{2024 + n // 12}/{1 + n % 12}"
        after = f"{HOST}/calendar/{2024 + (n + 1) // 12}/{1 + (n + 1) % 12}"
        watch.record_page(here, words(chance), page_id=n + 1, parent=n, brought=[after, *brought])


def test_a_calendar_that_grows_is_closed_whatever_stands_in_it() -> None:
    watch, chance = TrapDetector(), random.Random(2)
    months(watch, chance, CALENDAR_PAGES, [])
    assert watch.take_new_traps() == []
    months(watch, chance, CALENDAR_PAGES + 1, [])
    assert [trap.reason for trap in watch.take_new_traps()] == ["calendar that grows"]
    assert watch.judge(f"{HOST}/calendar/2199/1")


def test_an_archive_by_month_that_brings_articles_is_none() -> None:
    watch, chance = TrapDetector(), random.Random(3)
    for n in range(20):
        months(watch, chance, 12, [f"{HOST}/article-{n}.html"])
    assert watch.take_new_traps() == []


def test_chapters_without_dates_are_none() -> None:
    watch, chance = TrapDetector(), random.Random(4)
    for n in range(500):
        watch.record_page(f"{HOST}/book/ch{n}.html", words(chance), n + 1, n, [f"{HOST}/book/ch{n + 1}.html"])
    assert watch.take_new_traps() == []


def test_dated_pages_found_elsewhere_are_none() -> None:
    watch, chance = TrapDetector(), random.Random(5)
    for n in range(500):
        watch.record_page(f"{HOST}/{2000 + n // 12}/{1 + n % 12}/", words(chance), n + 1, parent=-7)
    assert watch.take_new_traps() == []


def test_a_trap_of_an_earlier_run_stays_closed_and_is_not_told_again() -> None:
    watch = TrapDetector()
    watch.restore(Trap("calendar that grows", f"{HOST}/calendar/#/#"))
    assert watch.judge(f"{HOST}/calendar/2024/1")
    assert watch.take_new_traps() == []
