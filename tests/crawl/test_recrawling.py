"""Pages of a changing web are revisited over real HTTP: unchanged ones cost a 304, changes are found."""

import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.crawl.harness import (
    HTML,
    EventLog,
    Pages,
    Toy,
    check_archive,
    get_world,
    make_command,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
)

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.recrawl.revisit_plan import DuePage
from gossamer.crawl.recrawl.revisit_rounds import TASK, list_recrawl_tasks, schedule_visits
from gossamer.freshness.change_history import (
    DAY_S,
    ROOM,
    PageHistory,
    decode_page_note,
    encode_note,
    page_note_name,
)
from gossamer.freshness.conditional_request import AUDIT_EVERY
from gossamer.lab.options import Changes
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.clock import PretendClock
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.net import url as urls
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web

GRACE_DAYS = 8


def visit_again(
    folder: Path, which: Callable[[Page], bool] = lambda _: True, follow: bool = False
) -> EventLog:
    """Revisit pages of a web."""
    events = EventLog()
    with Web(folder, create=False) as web:
        wanted = [page.id for page in web.store.pages() if which(page)]
        due = [DuePage(page, 1.0, 0.1, 1.0, 0.5, 1.0, False, 0) for page in wanted]
        web.run(again=schedule_visits(web.store, due, web.store.tasks()[0].created_s, follow), watcher=events)
    return events


def read_note(folder: Path, url: str) -> PageHistory:
    """Return the history of a page."""
    with Web(folder, create=False) as web:
        return decode_page_note(web.store.note(ROOM, page_note_name(urls.page_id(url))))


def pretend_days(folder: Path, url: str, days: float) -> None:
    """Move the last request and the first failure of a page this many days into the past."""
    note = read_note(folder, url)
    gone_s = note.gone_s - days * DAY_S if note.gone_s else 0.0
    remember(folder, url, tried_s=note.tried_s - days * DAY_S, gone_s=gone_s)


def remember(folder: Path, url: str, **changes: Any) -> None:
    """Change the history of a page."""
    note = msgspec.structs.replace(read_note(folder, url), **changes)
    with Web(folder, create=False) as web:
        web.store.commit(Batch(notes={(ROOM, page_note_name(urls.page_id(url))): encode_note(note)}))


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[tuple[LabServer, PretendClock, Path]]:
    """Serve a small world whose pages change with its clock, crawled once."""
    clock = PretendClock()
    world = World(seed=5, hosts=4, pages=60, port=1, changes=Changes(changes_per_day=0.5))
    with serving(world, clock=clock) as running:
        folder = tmp_path / "web"
        run(folder, make_quick_task(running))
        yield running, clock, folder


@pytest.mark.slow
def test_an_unchanged_page_costs_a_304_and_a_change_is_found(
    moving: tuple[LabServer, PretendClock, Path],
) -> None:
    running, clock, folder = moving
    before = read_pages(folder)
    world = get_world(running)
    asked = len(list(running.log.entries()))
    clock.set(2 * DAY_S)
    events = visit_again(folder)
    changed = {url for url in before if (truth := world.page(url, 2 * DAY_S)) and truth.version}
    assert 10 < len(changed) < len(before) - 10
    statuses = Counter(entry.status for entry in list(running.log.entries())[asked:])
    assert statuses == {304: len(before) - len(changed), 200: len(changed)}
    counts = events.get_end(TASK).counts
    assert (counts["not modified"], counts["downloaded"]) == (statuses[304], statuses[200])
    assert counts["changed"] == len(changed)
    after = read_pages(folder)
    assert after.keys() == before.keys()
    assert {url for url in before if after[url].text_digest != before[url].text_digest} == changed
    assert all(after[url].depth == before[url].depth for url in before)
    assert check_archive(folder)["revisit"] >= statuses[304]
    with Web(folder, create=False) as web:
        found = [visit for visit in web.store.all_visits() if visit.result == "fetched"]
        assert all(visit.text_digest for visit in found)
    quiet, moved = (next(iter(some)) for some in (before.keys() - changed, changed))
    assert read_note(folder, quiet).unheard == 1
    assert not read_note(folder, quiet).gaps
    assert sum(read_note(folder, moved).gaps.values()) == 1


def test_not_modified_answers_are_checked_now_and_then(tmp_path: Path) -> None:
    text = ["one"]

    def liar() -> LabAnswer:
        return LabAnswer(200, (*HTML, ("ETag", '"first"')), f"<p>{text[0]}".encode())

    pages: Pages = {"127.0.0.1": {"/": liar}}
    folder = tmp_path / "web"
    with serving(_Conditional(pages)) as running:
        run(folder, make_quick_task(running, robots=False))
        [url] = read_pages(folder)
        text[0] = "two"
        visit_again(folder)
        assert read_note(folder, url).unheard == 1
        remember(folder, url, unheard=AUDIT_EVERY)
        events = visit_again(folder)
        assert events.get_end(TASK).counts["changed"] == 1
        assert read_note(folder, url).lies
        text[0] = "three"
        assert visit_again(folder).get_end(TASK).counts["changed"] == 2  # no longer requested conditionally


class _Conditional(Toy):
    """A world that answers 304 to requests with this tag."""

    def answer(self, asked, now_s):  # type: ignore[no-untyped-def]
        found = super().answer(asked, now_s)
        tags = {value for name, value in found.headers if name == "ETag"}
        return LabAnswer(304) if asked.headers.get("if-none-match") in tags else found


def test_a_server_that_ignores_conditions_gets_head_requests_first(tmp_path: Path) -> None:
    version = ["1"]

    def page() -> LabAnswer:
        body = f"<p>{version[0]}</p>" + "<p>all that stays" * 1000
        return LabAnswer(200, (*HTML, ("ETag", f'"{version[0]}"')), body.encode())

    folder = tmp_path / "web"
    with serving(Toy({"127.0.0.1": {"/": page}})) as running:
        run(folder, make_quick_task(running, robots=False))
        for _ in range(3):
            visit_again(folder)
        visit_again(folder)
        version[0] = "2"
        events = visit_again(folder)
        methods = [entry.method for entry in running.log.entries()]
    assert methods == ["GET"] * 4 + ["HEAD", "HEAD", "GET"]
    assert events.get_end(TASK).counts["changed"] == 1


@pytest.mark.slow
def test_a_kill_loses_neither_what_was_learnt_nor_what_was_due(tmp_path: Path) -> None:
    pages = 24
    answers: Pages = {"127.0.0.1": {f"/{at}": make_link_page(text=f"page {at}") for at in range(pages)}}
    answers["127.0.0.1"]["/"] = make_link_page(*(f"/{at}" for at in range(pages)))
    folder = tmp_path / "web"
    with serving(Toy(answers)) as running:
        run(folder, make_quick_task(running, robots=False))
        with Web(folder, create=False) as web:
            older = [
                msgspec.structs.replace(page, fetched_s=page.fetched_s - DAY_S) for page in web.store.pages()
            ]
            [task] = web.tasks()
            slow = config.replace_options(
                msgspec.json.decode(task.spec, type=TaskSpec), delay_s=0.2
            )  # time for the kill
            web.store.commit(
                Batch(pages=older, tasks=[msgspec.structs.replace(task, spec=msgspec.json.encode(slow))])
            )
        told = ["--web", str(folder), "--budget", "1000/day", "--json"]
        with subprocess.Popen(make_command("recrawl", *told), stdout=subprocess.DEVNULL) as process:
            try:
                wait_until_learnt(folder)
            finally:
                process.kill()
        learnt_before, visited, left = read_round(folder)
        assert learnt_before == visited
        assert 0 < len(visited) < pages + 1
        assert left == pages + 1 - len(visited)
        subprocess.run(make_command("recrawl", *told), check=True, timeout=600, stdout=subprocess.DEVNULL)
    learnt_after, visited_after, left = read_round(folder)
    assert learnt_after == visited_after
    assert len(visited_after) == pages + 1
    assert all(visited_after[page] == visited[page] for page in visited), (
        "a page was visited twice in one round"
    )
    assert left == 0


def wait_until_learnt(folder: Path) -> None:
    """Wait until the web has a history written by a round of revisits."""
    until_s = time.monotonic() + 600.0
    while time.monotonic() < until_s:
        if folder.exists() and read_round(folder)[0]:
            return
        time.sleep(0.02)
    raise AssertionError("nothing was learnt")


def read_round(folder: Path) -> tuple[dict[int, float], dict[int, float], int]:
    """Return when each page was last tried by its history and by the round's visits, and the number of remaining requests."""
    with Web(folder, create=False) as web:
        tasks = list_recrawl_tasks(web.store)
        if not tasks:
            return {}, {}, 0
        [task] = tasks
        visits = {visit.page: visit.when_s for visit in web.store.all_visits() if visit.task == task.number}
        notes = {
            page: decode_page_note(web.store.note(ROOM, page_note_name(page))).tried_s for page in visits
        }
        near = {page: visits[page] for page, tried_s in notes.items() if abs(tried_s - visits[page]) < 0.1}
        return near, visits, web.store.count_remaining(task.number)


@pytest.mark.slow
def test_a_counter_on_every_page_is_not_a_change_once_it_is_known(tmp_path: Path) -> None:
    visits = [0]
    news = ["nothing new"]

    def page() -> LabAnswer:
        visits[0] += 1
        still = "".join(f"<p>Paragraph {name} stays as it is.</p>" for name in "abcdefgh")
        return LabAnswer(
            200, HTML, f"<h1>Club</h1>{still}<p>{news[0]}</p><p>Visitor {visits[0]}</p>".encode()
        )

    folder = tmp_path / "web"
    with serving(Toy({"127.0.0.1": {"/": page}})) as running:
        run(folder, make_quick_task(running, robots=False))
        changes = [visit_again(folder).get_end(TASK).counts.get("changed", 0) for _ in range(6)]
        assert changes == [1, 2, 2, 2, 2, 2]  # known from the third on
        news[0] = "the summer party is on Sunday"
        assert visit_again(folder).get_end(TASK).counts["changed"] == 3


def test_missing_and_moved_pages_are_given_up_after_their_period_of_grace(tmp_path: Path) -> None:
    pages: Pages = {
        "127.0.0.1": {
            "/": make_link_page("/gone", "/moved"),
            "/gone": make_link_page(text="soon gone"),
            "/moved": make_link_page(text="soon elsewhere"),
            "/new": make_link_page(text="soon elsewhere"),
        }
    }
    folder = tmp_path / "web"
    with serving(Toy(pages)) as running:
        run(folder, make_quick_task(running, robots=False))
        gone, moved, new = (running.url(path=path) for path in ("/gone", "/moved", "/new"))
        pages["127.0.0.1"]["/gone"] = LabAnswer(404)
        pages["127.0.0.1"]["/moved"] = LabAnswer(301, (("Location", "/new"),))
        for days in (0, 1, GRACE_DAYS):
            for url in (gone, moved):
                pretend_days(folder, url, days) if days else None
            visit_again(folder, lambda page: page.url in (gone, moved))
            assert new in read_pages(folder)
            assert read_note(folder, gone).out == read_note(folder, moved).out == (days == GRACE_DAYS)
        assert not read_pages(folder)[gone].index
        with Web(folder, create=False) as web:
            held = web.schedule().pages
            out = dict(zip(held.ids.tolist(), held.out.tolist(), strict=True))
        assert [out[urls.page_id(url)] for url in (gone, moved, new)] == [True, True, False]
        pages["127.0.0.1"]["/gone"] = make_link_page(text="back again")
        visit_again(folder, lambda page: page.url == gone)
        assert not read_note(folder, gone).out
        assert read_pages(folder)[gone].index


def test_only_new_links_of_a_revisited_page_are_followed_within_scope_and_depth(tmp_path: Path) -> None:
    pages: Pages = {
        "127.0.0.1": {
            "/": make_link_page("/old", "/deep/1"),
            **{f"/{name}": make_link_page(text=name) for name in ("old", "fresh", "deeper")},
            "/deep/1": make_link_page("/deep/2"),
            "/deep/2": make_link_page(text="not followed for its depth"),
        }
    }
    folder = tmp_path / "web"
    with serving(Toy(pages)) as running:
        run(folder, make_quick_task(running, robots=False, depth=1, scope="host"))
        before = set(read_pages(folder))
        pages["127.0.0.1"]["/"] = make_link_page("/fresh", "/deep/2", "http://127.0.0.9/elsewhere")
        pages["127.0.0.1"]["/old"] = make_link_page("/deeper")
        first = visit_again(folder).get_end(TASK).counts
        assert first["changed"] == 2
        assert set(read_pages(folder)) == before
        pages["127.0.0.1"]["/"] = make_link_page("/fresh", "/deep/2", "/newest", text="again")
        pages["127.0.0.1"]["/newest"] = make_link_page("/deeper", "/old")
        counts = visit_again(folder, follow=True).get_end(TASK).counts
        assert set(read_pages(folder)) - before == {running.url(path="/newest")}
        assert counts["queued"] - first["queued"] == len(before) + 1
        again = visit_again(folder, follow=True).get_end(TASK).counts
        assert again["downloaded"] - counts["downloaded"] == len(before) + 1, "all are asked for once more"


def test_a_change_in_a_sitemap_is_known_without_a_request(tmp_path: Path) -> None:
    dates = ["2001-02-03", "2001-02-03"]

    def sitemap() -> LabAnswer:
        entry = "<url><loc>/{}</loc><lastmod>{}</lastmod><changefreq>{}</changefreq></url>"
        entries = entry.format("a", dates[0], "daily") + entry.format("b", dates[1], "yearly")
        body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        return LabAnswer(200, (("Content-Type", "application/xml"),), body.encode())

    pages: Pages = {
        "127.0.0.1": {"/s.xml": sitemap, "/a": make_link_page(text="a"), "/b": make_link_page(text="b")}
    }
    folder = tmp_path / "web"
    with serving(Toy(pages)) as running:
        run(folder, make_quick_task(running, robots=False, seeds=[], sitemaps=[running.url(path="/s.xml")]))
        kept = read_pages(folder)
        assert [kept[running.url(path=path)].kind for path in ("/s.xml", "/a", "/b")] == [
            "sitemap",
            "html",
            "html",
        ]
        dates[0] = datetime.now(UTC).isoformat()
        visit_again(folder, lambda page: page.kind == "sitemap")
        with Web(folder, create=False) as web:
            held = web.schedule().pages
            place = {page: at for at, page in enumerate(held.ids.tolist())}
            a, b = (place[urls.page_id(running.url(path=path))] for path in ("/a", "/b"))
        assert held.announced[a]
        assert not held.announced[b]
        assert held.evidence.quiet_days[a] < held.evidence.quiet_days[b]
