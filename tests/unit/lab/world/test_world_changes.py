"""In a world with changes, pages change, appear and vanish when its truth says so."""

from email.utils import parsedate_to_datetime

import pytest
from tests.unit.lab.world_reader import ask, header, truth

from gossamer.lab.behaviour.page_changes import DAY_S, EPOCH_S
from gossamer.lab.options import Changes, Shape
from gossamer.lab.world.world import World

MOVING = Changes(changes_per_day=1.0, appearing=0.3, appear_days=10, vanishing=0.2, vanish_days=10)


@pytest.fixture(scope="module")
def moving() -> World:
    return World(seed=4, hosts=4, pages=120, changes=MOVING, shape=Shape(groups=()))


@pytest.mark.slow
def test_etag_and_last_modified_follow_the_changes(moving: World) -> None:
    """The body changes exactly when the tag does, and Last-Modified is the last change of the truth."""
    for number in range(0, 120, 4):
        url = moving.url(number)
        before: tuple[bytes, str] | None = None
        for day in (0.0, 0.5, 3.0, 3.0001, 12.0, 40.0):
            answer = ask(moving, url, day * DAY_S)
            assert answer.status == truth(moving, url, day * DAY_S).status
            if answer.status != 200:
                before = None
                continue
            now = (answer.body, header(answer, "ETag"))
            if before:
                assert (before[0] == now[0]) == (before[1] == now[1])
            before = now
            page = truth(moving, url, day * DAY_S)
            modified_s = parsedate_to_datetime(header(answer, "Last-Modified")).timestamp() - EPOCH_S
            assert modified_s == (page.change_times[-1] if page.change_times else page.born_s)


def test_a_conditional_request_gets_304_until_the_page_changes(moving: World) -> None:
    checked = 0
    for number in range(120):
        url = moving.url(number)
        first = ask(moving, url, 0.0)
        changes = truth(moving, url, 30 * DAY_S).change_times
        if first.status != 200 or not changes or truth(moving, url, changes[0]).status != 200:
            continue
        checked += 1
        by_tag = {"if-none-match": f'W/"x", {header(first, "ETag")}'}
        by_date = {"if-modified-since": header(first, "Last-Modified")}
        for condition in (by_tag, by_date):
            unchanged = ask(moving, url, changes[0] - 1, headers=condition)
            assert (unchanged.status, unchanged.body) == (304, b"")
            assert ask(moving, url, changes[0], headers=condition).status == 200
        if checked == 15:
            break
    assert checked == 15


def test_pages_appear_and_vanish_and_are_linked_when_they_appear(moving: World) -> None:
    early, late = moving.graph(0.0), moving.graph(100 * DAY_S)
    assert len(early.urls) < 120
    assert set(early.urls) != set(late.urls)
    gone = set(early.urls) - set(late.urls)
    assert {ask(moving, url, 100 * DAY_S).status for url in gone} == {404, 410}
    unborn = [moving.url(number) for number in range(120) if truth(moving, moving.url(number)).born_s > 0]
    assert {ask(moving, url, 0.0).status for url in unborn} == {404}
    for url in early.urls[::7]:
        linked = {link.url for link in truth(moving, url).links}
        assert not linked & set(unborn)


@pytest.mark.slow
def test_wrong_tags_always_or_never_claim_a_change() -> None:
    world = World(
        hosts=3,
        pages=60,
        changes=Changes(changes_per_day=2.0, rate_spread=0, lying=1.0),
        shape=Shape(groups=()),
    )
    kinds = set()
    for number in range(60):
        url = world.url(number)
        lie = truth(world, url).lie
        kinds.add(lie)
        first, later = ask(world, url, 5.0), ask(world, url, 30 * DAY_S)
        assert first.body != later.body
        assert (header(first, "ETag") == header(later, "ETag")) == (lie == "never new")
        soon = ask(world, url, 6.0)
        assert (header(first, "ETag") == header(soon, "ETag")) == (lie == "never new")
    assert kinds == {"always new", "never new"}


def test_the_main_text_changes_with_the_version_and_the_title_does_not(moving: World) -> None:
    url = moving.seeds()[0]
    first, later = truth(moving, url), truth(moving, url, 60 * DAY_S)
    assert later.version > first.version == 0
    assert first.title == later.title
    assert first.main_text != later.main_text
