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


def random_simhash(chance: random.Random) -> int:
    """Return the simhash of a page that resembles no other."""
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
def test_a_family_has_placeholders_for_numbers_tokens_and_values(url: str, family: str) -> None:
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
def test_dates_are_distinguished_from_other_numbers(url: str, dated: bool) -> None:
    assert is_dated("http://10.2024.1.1" + url) == dated


def test_a_trap_is_found_by_the_shape_of_a_url() -> None:
    repeated = find_shape_trap(f"{HOST}/a/b/a/c/a/d/a/")
    assert repeated == Trap("path segment repeats", "www.example.org/…/a/…/a/…")
    endless = find_shape_trap(HOST + "/" + "/".join(f"d{n}" for n in range(LONGEST_PATH + 1)))
    assert endless
    assert endless.reason == "path without end"
    assert find_shape_trap(f"{HOST}/a/b/a/c/a/d/") is None
    assert find_shape_trap(HOST) is None


def test_a_trap_is_reported_once_with_its_pattern() -> None:
    detector = TrapDetector()
    for n in range(5):
        assert detector.judge(f"{HOST}/x/x/x/x/{n}")
    assert detector.take_new_traps() == [Trap("path segment repeats", "www.example.org/…/x/…/x/…")]
    assert detector.take_new_traps() == []


def test_near_copies_make_a_family_a_trap() -> None:
    detector, chance = TrapDetector(), random.Random(1)
    page = random_simhash(chance)
    for n in range(FAMILY_PROBE):
        assert detector.judge(f"{HOST}/view?id={n}") is None
        detector.record_page(f"{HOST}/view?id={n}", page ^ (1 << n % 3))
    [trap] = detector.take_new_traps()
    assert trap == Trap("near copies under one pattern", f"{HOST}/view?id=*")
    assert detector.judge(f"{HOST}/view?id=999") == trap
    assert detector.judge(f"{HOST}/view/999") is None


def test_pages_without_words_are_not_copies() -> None:
    detector = TrapDetector()
    for n in range(4 * FAMILY_PROBE):
        detector.record_page(f"{HOST}/app/{n}", 0)
    assert detector.take_new_traps() == []


def record_months(detector: TrapDetector, chance: random.Random, count: int, brought: list[str]) -> None:
    """Record the pages of a calendar: each is found on the one before, and links to the next."""
    for n in range(count):
        here = f"{HOST}/calendar/{2024 + n // 12}/{1 + n % 12}"
        after = f"{HOST}/calendar/{2024 + (n + 1) // 12}/{1 + (n + 1) % 12}"
        detector.record_page(here, random_simhash(chance), page_id=n + 1, parent=n, brought=[after, *brought])


def test_a_calendar_that_grows_is_a_trap_even_if_its_pages_differ() -> None:
    detector, chance = TrapDetector(), random.Random(2)
    record_months(detector, chance, CALENDAR_PAGES, [])
    assert detector.take_new_traps() == []
    record_months(detector, chance, CALENDAR_PAGES + 1, [])
    assert [trap.reason for trap in detector.take_new_traps()] == ["calendar that grows"]
    assert detector.judge(f"{HOST}/calendar/2199/1")


def test_an_archive_by_month_with_new_articles_is_not_a_trap() -> None:
    detector, chance = TrapDetector(), random.Random(3)
    for n in range(20):
        record_months(detector, chance, 12, [f"{HOST}/article-{n}.html"])
    assert detector.take_new_traps() == []


def test_chapters_without_dates_are_not_a_trap() -> None:
    detector, chance = TrapDetector(), random.Random(4)
    for n in range(500):
        detector.record_page(
            f"{HOST}/book/ch{n}.html", random_simhash(chance), n + 1, n, [f"{HOST}/book/ch{n + 1}.html"]
        )
    assert detector.take_new_traps() == []


def test_dated_pages_found_elsewhere_are_not_a_trap() -> None:
    detector, chance = TrapDetector(), random.Random(5)
    for n in range(500):
        detector.record_page(
            f"{HOST}/{2000 + n // 12}/{1 + n % 12}/", random_simhash(chance), n + 1, parent=-7
        )
    assert detector.take_new_traps() == []


def test_a_trap_of_an_earlier_run_is_known_and_not_reported_again() -> None:
    detector = TrapDetector()
    detector.restore(Trap("calendar that grows", f"{HOST}/calendar/#/#"))
    assert detector.judge(f"{HOST}/calendar/2024/1")
    assert detector.take_new_traps() == []
