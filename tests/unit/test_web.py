"""A web used from a program: pages in a loop, a crawl in the background, tasks by name."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Page
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.lock import Lock
from gossamer.web import Web


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    with serving(World(seed=7, hosts=2, pages=30)) as running:
        yield running


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with gossamer.open(tmp_path / "web") as opened:
        yield opened


def make_task(lab: LabServer, **options: Any) -> Task:
    usual: dict[str, Any] = {"scope": "any", "delay_s": 0.0, "allow_private": ["127.0.0.0/8"]}
    return Task(seeds=lab.seeds, **usual | options)


def test_a_loop_yields_every_stored_page(lab: LabServer, web: Web) -> None:
    one = make_task(lab)
    found = [page.url for page in web.crawl(one)]
    assert sorted(found) == sorted(page.url for page in web.store.pages())
    assert len(found) > 10
    assert one.listeners == []


def test_leaving_the_loop_stops_the_crawl(lab: LabServer, web: Web) -> None:
    for _ in web.crawl(make_task(lab, delay_s=0.05, name="left")):
        break
    note = web.task("left")
    assert (note.state, note.reason) == ("stopped", "its program left the loop over its pages")
    with Lock(web.folder):  # and has let go of the web
        pass


def test_a_loop_can_be_asynchronous(lab: LabServer, web: Web) -> None:
    async def collect() -> list[str]:
        return [page.url async for page in web.crawl(make_task(lab, pages=5))]

    assert len(asyncio.run(collect())) == 5


def test_an_exception_of_a_listener_reaches_the_loop(lab: LabServer, web: Web) -> None:
    one = make_task(lab)

    @one.listener
    def fail(page: Page) -> None:
        raise ZeroDivisionError(page.url)

    with pytest.raises(ZeroDivisionError, match="http://127"):
        list(web.crawl(one))


def test_a_crawl_in_the_background_can_be_stopped_and_waited_for(lab: LabServer, web: Web) -> None:
    running = web.start(make_task(lab, delay_s=0.2, name="slow"))
    assert not running.wait(0.0)
    running.stop()
    assert running.wait(200)
    assert running.done
    assert web.task("slow").reason == "stopped by its program"


def test_two_crawls_of_one_web_are_refused_at_once(lab: LabServer, web: Web) -> None:
    running = web.start(make_task(lab, delay_s=0.2))
    with pytest.raises(BadInput, match="in use by process"):
        web.start(make_task(lab))
    running.stop()
    running.wait(200)


def test_a_resumed_task_uses_its_functions(lab: LabServer, web: Web) -> None:
    for _ in web.crawl(make_task(lab, name="parts", delay_s=0.05)):
        break
    again = make_task(lab, name="parts")

    @again.page_classifier
    def mark(_: object) -> dict[str, str]:
        return {"part": "second"}

    second = list(web.resume(again))
    assert {page.marks["part"] for page in second} == {"second"}
    assert web.task("parts").reason == "nothing left to fetch"
    assert list(web.resume()) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"order": "random"}, "there is no order"),
        ({"include": ["("]}, "regular expression"),
        ({"allow_private": ["home"]}, "is not a network"),
        ({"seeds": []}, "start page"),
    ],
)
def test_invalid_tasks_are_not_stored(
    lab: LabServer, web: Web, options: dict[str, Any], sentence: str
) -> None:
    wrong = Task(**{"seeds": lab.seeds, **options})
    with pytest.raises(BadInput, match=sentence):
        web.run([wrong])
    assert web.tasks() == []


def test_tasks_are_found_by_name_and_by_number(lab: LabServer, web: Web) -> None:
    web.run([make_task(lab, name="first", pages=1), make_task(lab, name="second", pages=1)])
    assert web.task("second").number == 2
    assert web.task("1").name == "first"
    with pytest.raises(BadInput, match="did you mean 'first'"):
        web.task("frist")
    with pytest.raises(BadInput, match="needs its name"):
        list(web.resume(make_task(lab)))


def test_of_several_tasks_with_one_name_the_unfinished_one_is_meant(web: Web) -> None:
    def keep(*states: str) -> None:
        web.store.commit(Batch(tasks=[make_note(number, state) for number, state in enumerate(states, 1)]))

    keep("stopped", "finished", "finished")
    assert web.task("twice").number == 1
    assert web.task("3").number == 3
    keep("finished", "finished", "finished")
    assert web.task("twice").number == 3
    keep("running", "finished", "stopped")
    with pytest.raises(
        BadInput, match=r"2 unfinished tasks are called 'twice'; give the number of one: 1 or 3"
    ):
        web.task("twice")


def make_note(number: int, state: Any) -> TaskNote:
    return TaskNote(number, "twice", b"{}", state=state)
