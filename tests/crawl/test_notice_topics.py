"""A crawl that looks out for topics marks their pages, reports them at once, and refuses topics that it does not know."""

from pathlib import Path

import pytest
from tests.crawl.harness import LOOPBACK, EventLog, Toy
from tests.crawl.test_orders import SITE, open_web

from gossamer.context.topic_news import find_new_pages
from gossamer.crawl.control.check_task import check_task
from gossamer.crawl.events import TopicFound
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.lab.server.serve_world import serving
from gossamer.store.model_folder import topic_model


def make_task(seed: str, *notice: str) -> Task:
    politeness = {"delay_s": 0.0, "adaptive": 0.0, "robots": False, "allow_private": list(LOOPBACK)}
    return Task(seeds=[seed], notice=notice, **politeness)  # type: ignore[arg-type]


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_pages_of_a_topic_are_marked_and_reported(tmp_path: Path, processes: int) -> None:
    events = EventLog()
    with serving(Toy(SITE)) as lab, open_web(tmp_path) as web:
        web.run([make_task(lab.url("127.0.10.1"), "stars")], [], events, processes=processes)
        kept = {page.url.rpartition(":")[2].partition("/")[2]: page.marks for page in web.store.pages()}
        new = find_new_pages(web, topic_model(tmp_path, "stars"), 0.0)
    marked = {path for path, marks in kept.items() if "topic:stars" in marks}
    assert {"star", "star/1"} <= marked
    assert not {"soup", "soup/1"} & marked
    assert len(kept) == 5
    found = [event for event in events.all if isinstance(event, TopicFound)]
    assert {page.url for page in new} >= {event.url for event in found if "star" in event.url}
    assert {event.url.rpartition(":")[2].partition("/")[2] for event in found} == marked
    for event in found:
        path = event.url.rpartition(":")[2].partition("/")[2]
        assert (event.topic, f"{event.relevance:.4f}") == ("stars", kept[path]["topic:stars"])
        assert event.title or path == ""


def test_an_unknown_topic_is_refused_before_the_crawl(tmp_path: Path) -> None:
    open_web(tmp_path).close()
    with pytest.raises(BadInput, match="no topic 'star'; did you mean 'stars'"):
        check_task(make_task("http://127.0.10.1/", "star").spec, tmp_path)
