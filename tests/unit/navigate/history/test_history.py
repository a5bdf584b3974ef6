"""A history: what was read is found by its words, and gone to the last byte when it is forgotten."""

import random
import re
import sqlite3
import time
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from gossamer.errors import BadInput
from gossamer.navigate.history import history_file
from gossamer.navigate.history.export_visits import export_visits, import_visits
from gossamer.navigate.history.forget_visits import ForgetVisits, find_day, forget_visits
from gossamer.navigate.history.history_records import HistoryQuery, ReadVisit
from gossamer.navigate.history.keep_visits import keep_visits
from gossamer.navigate.history.search_history import find_trail, search_history
from gossamer.net.url import page_id

SPRING, SUMMER = datetime(2026, 4, 10, 23, 30).timestamp(), datetime(2026, 7, 2, 12, 0).timestamp()
OPTICS = ReadVisit(
    "https://optics.example/libraries",
    SPRING,
    "Optical libraries",
    "A page about libraries of lenses, and the catalogue of the glass works at Jena.",
    "https://search.example/?q=lenses",
    40.0,
)
SEARCH = ReadVisit(
    "https://search.example/?q=lenses", SPRING - 60, "lenses", "Ten answers about lenses.", "", 9.0
)
SOUP = ReadVisit(
    "https://kitchen.example/soup",
    SUMMER,
    "Kürbissuppe",
    "Eine Suppe mit Kürbis, Ingwer und Sahne.",
    seconds=300.0,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history" / "own.sqlite"


@pytest.fixture
def kept(path: Path) -> Path:
    """Return a history of three pages."""
    assert keep_visits(path, [SOUP, OPTICS, SEARCH]) == 3
    return path


def find(path: Path, words: str = "", **more: object) -> list[str]:
    """Return the titles of what is found."""
    return [one.title for one in search_history(path, HistoryQuery(words, **more)).items]  # type: ignore[arg-type]


def test_pages_are_found_by_their_words_site_and_time(kept: Path) -> None:
    assert find(kept, "library lens") == ["Optical libraries"]  # stems
    assert find(kept, "kurbis") == ["Kürbissuppe"]  # without marks
    assert find(kept, "lens") == ["lenses", "Optical libraries"]  # the title counts more
    assert find(kept, '"glass works"') == ["Optical libraries"]
    assert find(kept, '"works glass"') == []
    assert find(kept, "catal") == ["Optical libraries"]  # a word that is being typed
    assert find(kept, "kitchen") == ["Kürbissuppe"]  # in its address
    assert find(kept, site="optics.example") == ["Optical libraries"]
    since, until = find_day("2026-04-01")[0], find_day("2026-05-31")[1]
    assert find(kept, since_s=since, until_s=until) == ["Optical libraries", "lenses"]
    assert find(kept, "soup", until_s=until) == []
    assert find(kept, "jena OR NEAR(*") == []
    assert find(kept, "***") == []


def test_without_words_the_latest_come_first_and_in_parts(kept: Path) -> None:
    assert find(kept) == ["Kürbissuppe", "Optical libraries", "lenses"]
    assert find(kept, offset=1, count=1) == ["Optical libraries"]
    assert search_history(kept, HistoryQuery(count=1)).found == 3


def test_an_answer_says_when_how_long_and_from_where(kept: Path) -> None:
    keep_visits(kept, [msgspec.structs.replace(OPTICS, opened_s=SUMMER, seconds=5.0, text="", title="")])
    (one,) = search_history(kept, HistoryQuery("glass")).items
    assert (one.opened_s, one.seconds, one.visits, one.site) == (SUMMER, 45.0, 2, "optics.example")
    assert one.origin == SEARCH.url
    assert "glass works" in one.snippet


def test_the_same_visit_told_again_is_one(kept: Path) -> None:
    for seconds in (50.0, 45.0):
        keep_visits(kept, [msgspec.structs.replace(OPTICS, seconds=seconds)])
    (one,) = search_history(kept, HistoryQuery("glass")).items
    assert (one.visits, one.seconds) == (1, 50.0)


def test_a_page_is_found_by_what_it_said_last(kept: Path) -> None:
    later = ReadVisit(SOUP.url, SUMMER + 10, "Zwiebelsuppe", "Jetzt mit Zwiebeln.")
    keep_visits(kept, [later, msgspec.structs.replace(SOUP, opened_s=SPRING, title="Alt", text="Alter Text")])
    assert find(kept, "zwiebeln") == ["Zwiebelsuppe"]
    assert find(kept, "ingwer") == find(kept, "alter") == []


def test_a_trail_says_how_one_got_there(kept: Path) -> None:
    keep_visits(kept, [ReadVisit("https://jena.example/", SPRING + 60, "Jena", origin=OPTICS.url)])
    assert [one.title for one in find_trail(kept, "https://jena.example/#top")] == [
        "lenses",
        "Optical libraries",
        "Jena",
    ]
    assert find_trail(kept, "https://unknown.example/") == []
    ring = [
        ReadVisit("https://a.example/", 1.0, "a", origin="https://b.example/"),
        ReadVisit("https://b.example/", 2.0, "b", origin="https://a.example/"),
    ]
    keep_visits(kept, ring)
    assert [one.title for one in find_trail(kept, "https://b.example/")] == ["a", "b"]


def test_what_is_not_of_the_web_or_has_a_password_is_not_kept(path: Path) -> None:
    odd = ["file:///etc/passwd", "about:blank", "https://me:secret@x.example/", "moz-extension://x/", "no"]
    assert keep_visits(path, [ReadVisit(one, SPRING, "x") for one in odd]) == 0
    assert b"secret" not in path.read_bytes()


def test_only_its_owner_may_read_the_file(kept: Path) -> None:
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700


def _words(number: int) -> str:
    some = random.Random(number)
    return " ".join(f"zq{some.getrandbits(60):015x}" for _ in range(60))


def _make_many() -> list[ReadVisit]:
    """Return visits to 400 pages of 20 sites, half of them on one day, each with words that no other page has."""
    return [
        ReadVisit(
            f"https://site{at % 20}.example/{at}-{_words(at)[:16]}",
            (SPRING if at % 2 else SUMMER) + at / 100,
            f"title {_words(10_000 + at)[:18]}",
            _words(at),
            f"https://site{at % 20}.example/{(at - 20) % 400}-{_words((at - 20) % 400)[:16]}",
        )
        for at in range(400)
    ]


SEVENTH = _make_many()[7]


def _search_bytes(path: Path, visits: list[ReadVisit]) -> list[str]:
    """Return the words of visits that are anywhere in the files of a history, whole or as their last ten characters."""
    found = b"".join(one.read_bytes() for one in path.parent.iterdir())
    ends = set(re.findall(rb"(?=([0-9a-f]{10}))", found))
    words = {word for one in visits for word in f"{one.title} {one.text} {one.url}".split() if "zq" in word}
    ids = {page_id(one.url).to_bytes(8, "big", signed=True) for one in visits}
    return [word for word in words if word[-10:].encode() in ends] + [str(one) for one in ids if one in found]


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        (ForgetVisits(site="site3.example"), lambda one: "//site3.example/" in one.url),
        (ForgetVisits(day="2026-04-10"), lambda one: one.opened_s < SPRING + 1_000),
        (ForgetVisits(all=True), lambda one: True),
        (ForgetVisits(url=SEVENTH.url), lambda one: one.url == SEVENTH.url),
    ],
)
def test_no_byte_of_what_was_forgotten_is_left(path: Path, request_: ForgetVisits, gone: object) -> None:
    visits = _make_many()
    for begin in range(0, 400, 40):  # many parts of the index
        keep_visits(path, visits[begin : begin + 40])
    forgotten = [one for one in visits if gone(one)]  # type: ignore[operator]
    assert len(_search_bytes(path, forgotten)) > len(forgotten)
    assert forget_visits(path, request_) == len(forgotten)
    assert _search_bytes(path, forgotten) == []
    left = [one for one in visits if not gone(one)]  # type: ignore[operator]
    assert search_history(path, HistoryQuery()).found == len(left)
    for one in (*left[:3], *forgotten[:3]):
        assert search_history(path, HistoryQuery(one.text.split()[5])).found == int(not gone(one))  # type: ignore[operator]


def test_a_day_is_forgotten_with_what_was_read_on_it(kept: Path) -> None:
    keep_visits(kept, [msgspec.structs.replace(OPTICS, opened_s=SUMMER + 5, title="New", text="Secretword")])
    assert forget_visits(kept, ForgetVisits(day="2026-07-02")) == 2
    (one,) = search_history(kept, HistoryQuery(site="optics.example")).items
    assert (one.title, one.visits, one.opened_s, one.seconds) == ("", 1, SPRING, 40.0)
    assert find(kept, "secretword") == []
    assert find(kept, "optics") == [""]
    assert b"Secretword" not in kept.read_bytes()


def test_erasing_that_was_interrupted_is_finished_by_the_next(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("gossamer.navigate.history.forget_visits.finish_erasing", stop)
        with pytest.raises(KeyboardInterrupt):
            forget_visits(kept, ForgetVisits(url=SOUP.url))
    assert find(kept, "ingwer") == []  # opens it, and so goes on
    with sqlite3.connect(kept) as db:
        assert db.execute("select count(*) from task").fetchone() == (0,)
    assert b"ingwer" not in kept.read_bytes()


@pytest.mark.parametrize(
    "wrong",
    [
        ForgetVisits(),
        ForgetVisits(site="x", all=True),
        ForgetVisits(day="yesterday"),
        ForgetVisits(url="x:"),
    ],
)
def test_forgetting_needs_to_know_what(kept: Path, wrong: ForgetVisits) -> None:
    with pytest.raises(BadInput):
        forget_visits(kept, wrong)
    assert search_history(kept, HistoryQuery()).found == 3


def test_export_and_import(kept: Path, tmp_path: Path) -> None:
    lines = list(export_visits(kept))
    assert [msgspec.json.decode(line)["opened_s"] for line in lines] == [SPRING - 60, SPRING, SUMMER]
    other = tmp_path / "other.sqlite"
    assert import_visits(other, lines) == 3
    assert list(export_visits(other)) == lines
    assert import_visits(other, lines) == 3
    assert list(export_visits(other)) == lines
    with pytest.raises(BadInput, match="line 2 is not a visit"):
        import_visits(other, [lines[0], b"{}"])


def test_a_history_that_is_not_there_is_empty(path: Path) -> None:
    assert search_history(path, HistoryQuery("x")).found == 0
    assert (find_trail(path, SOUP.url), list(export_visits(path)), path.exists()) == ([], [], False)
    assert forget_visits(path, ForgetVisits(all=True)) == 0


def test_a_damaged_or_newer_file_is_told_in_a_sentence(kept: Path) -> None:
    with sqlite3.connect(kept) as db:
        db.execute(f"pragma user_version = {history_file._VERSION + 1}")
    with pytest.raises(BadInput, match="newer version of Gossamer"):
        find(kept)
    kept.write_bytes(b"this is no database" * 1_000)
    with pytest.raises(BadInput, match="import what you exported"):
        find(kept)


def test_days_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        since_s, until_s = find_day("2026-03-29")
        assert (until_s - since_s) / 3_600 == 23  # the clocks were put forward
    finally:
        monkeypatch.undo()
        time.tzset()
