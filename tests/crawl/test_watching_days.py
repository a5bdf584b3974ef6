"""Pages are watched over pretend days through the real crawl: what was planted is told once, and nothing else is."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork
from gossamer.crawl.task.task import Task
from gossamer.fetch.fake_fetcher import FakeFetcher, make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.records import Failed, Fetched, Outcome
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.watch.change_log import PageChange, list_changes
from gossamer.watch.check_pages import MOST_LOOKS, PageCheck
from gossamer.watch.difference.part_text import WatchedPart
from gossamer.watch.judge_visits import FIRST_LOOKS, SECOND_LOOKS
from gossamer.watch.schedule_looks import make_spec, schedule_looks
from gossamer.watch.watch_list import WatchedPage, list_watched

DAY_S = 86_400.0
BEGAN_S = 1_800_000_000.0
HTML = (("Content-Type", "text/html; charset=utf-8"),)
LONG = (
    "This paragraph says many things about the shop and its people, so that it counts as text that is read. "
)
Answer = str | int | Outcome | tuple[str, str]
"""The text of a page, a status, an outcome, or a redirect as ("to", URL)."""


class Days:
    """A few pages behind a simulated network, which are checked once a day."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.store = SqliteStore(folder / "state.sqlite", create=True)
        self.time = SimulatedNetwork(FakeFetcher(self._answer), BEGAN_S)
        self.pages: dict[str, Callable[[], Answer]] = {}
        self.day = 0
        self.looks: list[list[str]] = []

    def _answer(self, url: str, ask: FetchOptions) -> Outcome | None:
        if url not in self.pages:
            return None
        said = self.pages[url]()
        match said:
            case str():
                return make_response(url, said, 200, HTML, ask, now_s=self.time.now_s)
            case int():
                return make_response(url, "", said, HTML, ask, now_s=self.time.now_s)
            case (_, target):
                return make_response(url, "", 302, [("Location", target)], ask, now_s=self.time.now_s)
            case _:
                return said

    def look(self, urls: Sequence[str]) -> None:
        """Fetch pages once."""
        self.looks.append(list(urls))
        options = {"delay_s": 0.5, "tries": 1, "robots": False, "per_address": False}
        spec = make_spec(self.store, options)
        note = schedule_looks(self.store, urls, spec, self.time.now_s)

        async def run() -> None:
            crawl = Crawl(self.store, self._folder, lambda _: None, fresh=True, simulated=self.time)
            crawl.resume(note, Task(spec))
            await crawl.walk(self.time, lambda: False)

        asyncio.run(run())

    def check(self, *new: WatchedPage) -> list[PageChange]:
        """Check new pages, and those on the list; return what is told. Then a day passes."""
        self.time.now_s = max(self.time.now_s, BEGAN_S + self.day * DAY_S + 3600.0 * (self.day * 5 % 17))
        known = list_watched(self.store)
        check = PageCheck(self.store, self._folder / "archive", self.look, self.time.now_s)
        names = {one.name for one in known}
        check.run([*known, *(one for one in new if one.name not in names)])
        self.day += 1
        return check.changes


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Days]:
    days = Days(tmp_path)
    yield days
    days.store.close()


def page(*paragraphs: str) -> str:
    return "<title>Shop</title><h1>Shop</h1>" + "".join(f"<p>{each}</p>" for each in (*paragraphs, LONG * 3))


def kinds(changes: list[PageChange]) -> list[str]:
    return [change.kind for change in changes]


@pytest.mark.slow
def test_thirty_days_of_noise_and_some_changes(days: Days) -> None:
    dice, visits = Random(3), iter(range(10**6))
    planted = {4: "The price is 21 crowns.", 5: "The price is 23 crowns.", 19: "The price is 22 crowns."}

    def answer() -> str:
        price = [planted[day] for day in planted if day <= days.day][-1:] or ["The price is 20 crowns."]
        return page(
            f"You are guest {next(visits)} of this page since it was made.",
            dice.choice(("Red umbrellas!", "Ten kettles for one", "Trombone lessons at home", "New roofs")),
            *price,
            f"Session {dice.getrandbits(40):x} was opened for you, good luck.",
            f"The newest comment is {dice.randrange(2, 60)} minutes old: it was written {dice.randrange(2, 60)} minutes ago.",
            *(["The elephant is back from its journey to the south."] if 10 <= days.day < 25 else []),
        )

    days.pages["http://a.example/"] = answer
    told = []
    for day in range(31):
        told += [(day, change) for change in days.check(WatchedPage("http://a.example/"))]
    assert [(day, change.kind) for day, change in told] == [(day, "changed") for day in (4, 5, 10, 19, 25)]
    shown = {
        day: " ".join(span.text for block in change.blocks for span in block.words if span.kind != "same")
        for day, change in told
    }
    assert shown[4].split() == ["20", "21"]
    assert "elephant" in shown[10]
    assert "elephant" in shown[25]


def test_a_new_page_is_looked_at_several_times_and_then_once(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: page("Nothing happens.")
    assert days.check(WatchedPage("http://a.example/")) == []
    assert len(days.looks) == FIRST_LOOKS
    assert days.check() == []
    assert len(days.looks) == FIRST_LOOKS + 1
    days.pages["http://a.example/"] = lambda: page("Something happens.")
    assert kinds(days.check()) == ["changed"]
    assert len(days.looks) == FIRST_LOOKS + 2 + SECOND_LOOKS


def test_gone_failing_and_back_are_told_once_each(days: Days) -> None:
    answers: list[Answer] = [
        *("a", "a", 404, 404, 410, "a", 503, Failed("connect", "refused"), "b", "b", 404, "b"),
    ]
    days.pages["http://a.example/"] = lambda: (
        page(f"Version {said} of the text.") if isinstance(said := answers[days.day], str) else said
    )
    told = [kinds(days.check(WatchedPage("http://a.example/"))) for _ in answers]
    assert told == [[], [], ["gone"], [], [], ["back"], ["failing"], [], ["back"], [], ["gone"], ["back"]]
    back = [change for change in list_changes(days.store) if change.kind == "back"]
    assert [bool(change.blocks) for change in back] == [False, True, False]


def test_a_first_look_that_fails_is_no_change(days: Days) -> None:
    assert days.check(WatchedPage("http://a.example/none")) == []
    [entry] = list_watched(days.store)
    assert (entry.status, entry.detail) == ("gone", "status 404")
    days.pages["http://a.example/none"] = lambda: page("Here.")
    assert kinds(days.check()) == ["back"]


def test_a_redirect_elsewhere_is_told_once(days: Days) -> None:
    goal = "http://a.example/one"
    days.pages["http://a.example/"] = lambda: ("to", goal)
    days.pages["http://a.example/one"] = lambda: page("The first.")
    days.pages["http://b.example/two"] = lambda: page("The second, which is another page.")
    assert days.check(WatchedPage("http://a.example/")) == []  # it always redirected
    assert days.check() == []
    goal = "http://b.example/two"
    [change] = days.check()
    assert (change.kind, change.detail) == ("moved", "http://b.example/two")
    assert days.check() == []
    days.pages["http://b.example/two"] = lambda: page("The second, which has changed meanwhile.")
    assert kinds(days.check()) == ["changed"]
    goal = "http://a.example/one"
    assert kinds(days.check()) == ["moved"]
    assert days.check() == []


def test_redirects_in_a_circle_are_told_once(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: page("Nothing leads on.")
    days.pages["http://a.example/x"] = lambda: ("to", "http://a.example/")
    assert days.check(WatchedPage("http://a.example/"), WatchedPage("http://a.example/x")) == []
    days.pages["http://a.example/"] = lambda: ("to", "http://a.example/x")
    assert kinds(days.check()) == ["failing", "failing"]
    assert days.check() == []


def test_redirects_in_a_circle_at_the_first_look_are_no_change(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: ("to", "http://a.example/")
    assert days.check(WatchedPage("http://a.example/")) == []
    assert days.check() == []


def test_a_part_that_is_gone_is_told_and_so_is_its_return(days: Days) -> None:
    texts = [
        "<div id=hours>9 to 18</div>",
        "",
        "",
        "<div id=hours>9 to 18</div>",
        "<div id=hours>9 to 20</div>",
    ]
    days.pages["http://a.example/"] = lambda: page("Hello.") + texts[days.day]
    watched = WatchedPage("http://a.example/", WatchedPart(select="#hours"))
    told = [kinds(days.check(watched)) for _ in texts]
    assert told == [[], ["part gone"], [], ["part back"], ["changed"]]


def test_a_part_is_watched_alone(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: (
        f"<h1>Shop</h1><p>{LONG}</p><p>Day {days.day} is a fine day for all.</p><h2>Hours</h2><p>9 to {18 + (days.day > 2)}</p>"
    )
    watched = WatchedPage("http://a.example/", WatchedPart(heading="Hours"))
    assert [kinds(days.check(watched)) for _ in range(5)] == [[], [], [], ["changed"], []]


def test_visits_that_were_not_judged_are_judged_by_the_next_check(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: page("The first version.")
    days.check(WatchedPage("http://a.example/"))
    days.pages["http://a.example/"] = lambda: page("The second version.")
    days.look(["http://a.example/"])  # and then the program is killed
    assert kinds(days.check()) == ["changed"]
    assert days.check() == []


def test_a_page_that_was_cut_off_has_not_changed(days: Days) -> None:
    days.pages["http://a.example/"] = lambda: page("The first version.", "The last line.")
    days.check(WatchedPage("http://a.example/"))
    whole = make_response("http://a.example/", page("The first"), 200, HTML)
    assert isinstance(whole, Fetched)
    cut = Fetched(msgspec.structs.replace(whole.exchange, cut="connection"))
    days.pages["http://a.example/"] = lambda: cut
    assert "changed" not in kinds(days.check())


def test_an_ever_changing_page_ends(days: Days) -> None:
    dice = Random(1)
    days.pages["http://a.example/"] = lambda: "".join(f"<p>{dice.getrandbits(99):x}</p>" for _ in range(30))
    for _ in range(3):
        days.check(WatchedPage("http://a.example/"))
    assert len(days.looks) <= 3 * MOST_LOOKS
