"""Options of tasks beyond limits: cached pages, HEAD only, kinds of content, functions, several tasks at once."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import (
    Toy,
    check_archive,
    check_state,
    get_world,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.task.task import Task
from gossamer.lab.options import Trouble
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Link, Page
from gossamer.web import Web

HOST = "127.0.10.1"


@pytest.fixture
def lab() -> Iterator[LabServer]:
    trouble = Trouble(redirect=0.1, robots_meta=0.1, nofollow=0.1)
    with serve_lab(World(seed=51, hosts=5, pages=120, trouble=trouble)) as running:
        yield running


def list_requested(lab: LabServer) -> list[str]:
    return [entry.target for entry in lab.log.entries() if entry.target != "/robots.txt"]


# Pages that the web already has


@pytest.mark.slow
@pytest.mark.parametrize("bodies", [True, False])
def test_recent_pages_are_not_fetched_again_but_their_links_are_followed(
    lab: LabServer, bodies: bool, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    first = run(web, make_quick_task(lab, bodies=bodies)).get_end().counts
    before = Counter(list_requested(lab))
    second = run(web, make_quick_task(lab, max_age_s=3600)).get_end()
    reached = get_world(lab).reachable()
    assert second.counts["cache hits"] == first["downloaded"] == len(reached)
    assert "downloaded" not in second.counts
    assert second.counts["checked"] == first["checked"]
    again = Counter(list_requested(lab)) - before
    assert not [target for target in again if not target.startswith("/moved")], (
        "a page was fetched again; only redirects are not cached"
    )
    check_state(web)
    check_archive(web)


@pytest.mark.slow
def test_old_pages_are_fetched_again(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, pages=20))
    time.sleep(0.3)
    second = run(web, make_quick_task(lab, max_age_s=0.2, pages=30)).get_end()
    assert second.counts["downloaded"] == 30
    assert "cache hits" not in second.counts


@pytest.mark.slow
def test_two_tasks_at_once_share_what_they_fetch(lab: LabServer, tmp_path: Path) -> None:
    tasks = [make_quick_task(lab, max_age_s=3600, name=name) for name in ("one", "two")]
    events = run(tmp_path / "web", *tasks)
    reached = get_world(lab).reachable()
    both: Counter[str] = Counter()
    for name in ("one", "two"):
        counts = Counter(events.get_end(name).counts)
        assert counts["cache hits"] + counts["downloaded"] == len(reached)
        both.update(counts)
    assert both["downloaded"] == len(reached)
    assert set(read_pages(tmp_path / "web")) == set(reached)
    check_state(tmp_path / "web")
    check_archive(tmp_path / "web")


# Content


def make_copies() -> Toy:
    """Return a world with two pages that have the same words and different links."""
    pages = {
        "/": make_link_page("/a", "/b"),
        "/a": make_link_page("/c", text="the very same words on both pages"),
        "/b": make_link_page("/d", text="the very same words on both pages"),
        "/c": make_link_page(text="one end"),
        "/d": make_link_page(text="another end"),
    }
    return Toy({HOST: {"/robots.txt": LabAnswer(404), **pages}})


@pytest.mark.slow
def test_links_of_a_page_whose_text_was_seen_are_not_followed(tmp_path: Path) -> None:
    with serving(make_copies()) as lab:
        seeds = [f"http://{HOST}:{lab.port}/"]
        for _ in range(2):  # texts seen by one task do not count for another
            events = run(tmp_path / "web", make_quick_task(lab, seeds=seeds, content_seen=True))
            visited = {event.url.rpartition("/")[2] for event in events.visits}
            assert visited == {"", "a", "b", "c"}
            assert events.get_end().counts["filtered:content seen"] == 1
        run(tmp_path / "other", make_quick_task(lab, seeds=seeds))
    assert len(read_pages(tmp_path / "other")) == 5


@pytest.mark.slow
def test_only_wanted_kinds_are_stored_but_links_of_all_pages_are_followed(tmp_path: Path) -> None:
    pdf = LabAnswer(200, (("Content-Type", "application/pdf"),), b"%PDF-1.4 and so on")
    pages = {
        "/": make_link_page("/a", "/b.pdf"),
        "/a": make_link_page("/c.pdf"),
        "/b.pdf": pdf,
        "/c.pdf": pdf,
    }
    with serving(Toy({HOST: {"/robots.txt": LabAnswer(404), **pages}})) as lab:
        seeds = [f"http://{HOST}:{lab.port}/"]
        events = run(tmp_path / "web", make_quick_task(lab, seeds=seeds, kinds=["pdf"]))
    assert sorted(url.rpartition("/")[2] for url in read_pages(tmp_path / "web")) == ["b.pdf", "c.pdf"]
    assert events.get_end().counts["downloaded"] == 4
    assert check_archive(tmp_path / "web")["page"] == 2
    check_state(tmp_path / "web")


@pytest.mark.slow
def test_a_task_with_head_only_sends_no_get(lab: LabServer, tmp_path: Path) -> None:
    events = run(tmp_path / "web", make_quick_task(lab, head_only=True))
    heads = [entry for entry in lab.log.entries() if entry.target != "/robots.txt"]
    assert {entry.method for entry in heads} == {"HEAD"}
    assert len(heads) == len(lab.seeds) == events.get_end().counts["downloaded"]
    assert all(page.body_bytes == 0 for page in read_pages(tmp_path / "web").values())
    check_archive(tmp_path / "web")
    after = run(tmp_path / "web", make_quick_task(lab, max_age_s=3600)).get_end()
    assert after.counts["downloaded"] == len(get_world(lab).reachable()), (
        "a response to HEAD was taken for a page"
    )


# Functions


@pytest.mark.slow
def test_a_task_calls_its_classifiers_filters_and_listeners(lab: LabServer, tmp_path: Path) -> None:
    listened: list[Page] = []
    ended: list[tuple[Task, str]] = []
    task = make_quick_task(lab)

    @task.page_classifier
    async def length(reading: Any) -> dict[str, str]:
        return {"length": "long" if reading.page.words > 100 else "short"}

    @task.link_classifier
    def goes_far(link: Link, page: Page) -> dict[str, str]:
        return {"far": str(page.host not in link.url)}

    @task.link_filter
    async def stays(link: Link, marks: dict[str, str]) -> bool:
        return marks["far"] == "False"

    @task.page_filter
    def not_deep(reading: Any) -> bool:
        return bool(reading.page.depth < 3)

    task.listener(listened.append)
    task.at_end(lambda ended_task, why: ended.append((ended_task, why)))
    events = run(tmp_path / "web", task)
    found = read_pages(tmp_path / "web")
    assert {page.url for page in listened} == set(found)
    assert len(listened) == len(found)
    assert ended == [(task, "nothing left to fetch")]
    assert {page.marks["length"] for page in found.values()} <= {"long", "short"}
    assert len({page.host for page in found.values()}) == 1
    counts = events.get_end().counts
    assert counts["filtered:stays"] > 0
    assert max(page.depth for page in found.values()) <= 3
    check_state(tmp_path / "web")


@pytest.mark.slow
def test_a_function_that_raises_stops_the_crawl_and_loses_nothing(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    task = make_quick_task(lab, name="fragile")
    seen: list[Link] = []

    @task.link_filter
    def fragile(link: Link) -> bool:
        seen.append(link)
        if len(seen) == 20:
            raise ZeroDivisionError
        return True

    with pytest.raises(ZeroDivisionError):
        run(web, task)
    check_state(web)
    run(web, again=True)
    assert set(read_pages(web)) == set(get_world(lab).reachable())
    check_state(web)
    check_archive(web)


@pytest.mark.slow
def test_a_page_that_cannot_be_read_is_stored_and_marked(
    lab: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gossamer.net import html

    whole = html.read

    def fragile(body: bytes, url: str, *more: Any) -> Any:
        if "view.php" in url:
            raise IndexError("a bug")
        return whole(body, url, *more)

    monkeypatch.setattr(html, "read", fragile)
    run(tmp_path / "web", make_quick_task(lab))
    broken = [page for page in read_pages(tmp_path / "web").values() if "view.php" in page.url]
    assert broken
    assert all(page.marks["unreadable"] == "IndexError: a bug" for page in broken)
    check_archive(tmp_path / "web")


# Several tasks


@pytest.mark.slow
def test_the_end_of_one_task_is_reported_while_another_continues(lab: LabServer, tmp_path: Path) -> None:
    events = run(
        tmp_path / "web", make_quick_task(lab, pages=3, name="short"), make_quick_task(lab, name="long")
    )
    kinds = [(type(event).__name__, getattr(event, "task", "")) for event in events.all]
    short = kinds.index(("TaskEnded", "short"))
    assert ("PageVisited", "long") in kinds[short:]
    assert kinds[-1] == ("TaskEnded", "long")
    with Web(tmp_path / "web") as web:
        states = {note.name: (note.state, note.reason) for note in web.tasks()}
    assert states == {
        "short": ("finished", "limit reached: 3 pages"),
        "long": ("finished", "nothing left to fetch"),
    }
    check_state(tmp_path / "web")


@pytest.mark.slow
def test_a_dead_host_is_given_up_and_all_its_pages_are_counted(tmp_path: Path) -> None:
    pages = {
        "/robots.txt": LabAnswer(404),
        "/": make_link_page(*(f"http://127.0.10.2:1/{n}" for n in range(30))),
    }
    with serving(Toy({HOST: {**pages}})) as lab:
        seeds = [f"http://{HOST}:{lab.port}/"]
        events = run(tmp_path / "web", make_quick_task(lab, seeds=seeds, back_off_s=0.01, tries=2))
    counts = events.get_end().counts
    assert events.get_end().reason == "nothing left to fetch"
    assert counts["refused:dead host"] > 20
    assert counts["finished"] == counts["queued"] == 31
    check_state(tmp_path / "web")


def test_a_task_resumes_without_the_file_of_its_start_pages(tmp_path: Path) -> None:
    pages = {"/": make_link_page("/a"), "/a": make_link_page("/b"), "/b": make_link_page(text="last")}
    file = tmp_path / "seeds.txt"
    with serving(Toy({HOST: {"/robots.txt": LabAnswer(404), **pages}})) as lab:
        file.write_text(f"# start pages\nhttp://{HOST}:{lab.port}/\n")
        run(tmp_path / "web", make_quick_task(lab, seeds=[], seed_files=[str(file)], scope="host", pages=1))
        assert len(read_pages(tmp_path / "web")) == 1
        file.unlink()
        run(tmp_path / "web", again=True, pages=0)
    assert len(read_pages(tmp_path / "web")) == 3
