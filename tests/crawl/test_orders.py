"""Whole crawls whose order learns: what they fetch, report, explain, and keep through a kill."""

import signal
import subprocess
import time
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import LOOPBACK, Pages, Toy, make_command, make_link_page, run, serve_lab

from gossamer.config import TaskSpec
from gossamer.crawl.explain.explain_url import explain
from gossamer.crawl.task.make_guide import ORDER_ROOM
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.order.link_guide import count_visits
from gossamer.order.terms.page_scores import PageScores
from gossamer.store.model_folder import keep_topic_model, topic_names
from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.web import Web

STARS = "star planet telescope galaxy orbit moon comet nebula eclipse observatory"
SOUPS = "recipe kitchen oven butter flour onion garlic soup sauce bake"
HTML = (("Content-Type", "text/html"),)


def train_stars() -> TopicModel:
    about = [Example(f"{STARS} {word}", title="stars") for word in STARS.split()]
    return train_topic(about, [Example(f"{SOUPS} {word}", title="soup") for word in SOUPS.split()])


def make_page(words: str, *targets: str) -> LabAnswer:
    links = "".join(f'<a href="{target}">more</a> ' for target in targets)
    return LabAnswer(200, HTML, f"<title>{words[:5]}</title><p>{words} {words}</p>{links}".encode())


def open_web(folder: Path) -> Web:
    web = Web(folder)
    keep_topic_model(train_stars(), folder, "stars")
    return web


def make_task(seed: str, **options: object) -> Task:
    politeness = {"delay_s": 0.0, "adaptive": 0.0, "robots": False, "allow_private": list(LOOPBACK)}
    return Task(**{"seeds": [seed], "order": "topic", "topic": "stars", **politeness, **options})  # type: ignore[arg-type]


SITE: Pages = {
    "127.0.10.1": {
        "/": make_link_page("/star", "/soup"),
        "/star": make_page(STARS, "/star/1"),
        "/soup": make_page(SOUPS, "/soup/1"),
        "/star/1": make_page(STARS),
        "/soup/1": make_page(SOUPS),
    }
}


def test_hard_focus_reports_what_it_left_out_and_which_option_widens_it(tmp_path: Path) -> None:
    with serving(Toy(SITE)) as lab, open_web(tmp_path) as web:
        web.run([make_task(lab.url("127.0.10.1"), focus="hard", tunnel=0)])
        (note,) = web.tasks()
        kept = {one.url.rpartition(":")[2].partition("/")[2]: one.marks for one in web.store.pages()}
    assert kept.keys() == {"", "star", "soup", "star/1"}
    assert float(kept["star"]["relevance"]) > 0.7
    assert float(kept["soup"]["relevance"]) < 0.3
    assert note.reason.startswith("nothing promising is left: 1 link of pages that are not about the topic")
    assert "--focus soft would follow them" in note.reason


def test_the_priority_of_a_waiting_link_is_explained_by_its_parts(tmp_path: Path) -> None:
    with serving(Toy(SITE)) as lab, open_web(tmp_path) as web:
        web.run([make_task(lab.url("127.0.10.1"), order="topic+0.5*authority", pages=3, connections=1)])
        waiting = [
            found
            for path in ("/star/1", "/soup", "/soup/1")
            if (found := explain(web.store, lab.url("127.0.10.1", path), tmp_path).tasks[0].waiting)
        ]
    assert waiting
    for one in waiting:
        assert one.parts["authority: in-links"] == 1
        assert one.parts["topic: to begin with"] < 0
        assert "topic: learnt of links at all" in one.parts


def test_the_words_around_a_link_and_its_distance_are_parts_of_its_priority(tmp_path: Path) -> None:
    far: Pages = {
        "127.0.10.3": {
            "/": make_page(SOUPS, "/1"),
            "/1": make_page(SOUPS, "/2"),
            "/2": make_page(SOUPS, "/3"),
            "/3": make_page(STARS, "/4", "/5"),
        }
    }
    with serving(Toy(far)) as lab, open_web(tmp_path) as web:
        web.run([make_task(lab.url("127.0.10.3"), tunnel=1, pages=3, connections=1)])
        (one,) = explain(web.store, lab.url("127.0.10.3", "/3"), tmp_path).tasks
    assert one.waiting is not None
    parts = one.waiting.parts
    assert parts["too far from the last relevant page"] == pytest.approx(-1.4), "two of three pages too many"
    assert "learnt of the words around it" in parts


def test_a_topic_can_be_a_text_or_pages_of_the_web(tmp_path: Path) -> None:
    with serving(Toy(SITE)) as lab, Web(tmp_path) as web:
        home, star = lab.url("127.0.10.1"), lab.url("127.0.10.1", "/star")
        web.run([make_task(home, topic=STARS)])
        kept = {page.url: float(page.marks["relevance"]) for page in web.store.pages()}
        assert kept[star] > max(0.5, kept[lab.url("127.0.10.1", "/soup")])
        web.run(
            [
                make_task(home, topic=f"{star} {star}/1", name="alike"),
                make_task(home, topic=STARS, name="same"),
            ]
        )
        topics = [msgspec.json.decode(note.spec, type=TaskSpec).topic for note in web.tasks()]
        assert topics[0] == topics[2] != topics[1], "the same words mean the same topic"
        assert sorted(topic_names(tmp_path)) == sorted(set(topics))
        with pytest.raises(BadInput, match=r"has no topic 'comets', it has .*star-planet.*write text:comets"):
            web.run([make_task(home, topic="comets")])
        assert len(web.tasks()) == 3


FORK: Pages = {
    "127.0.10.2": {
        "/": make_link_page(*(f"/{kind}/{n}" for kind in ("star", "soup") for n in range(8))),
        **{f"/star/{n}": make_page(STARS) for n in range(8)},
        **{f"/soup/{n}": make_page(SOUPS) for n in range(8)},
    }
}


@pytest.mark.parametrize("processes", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_links_of_an_earlier_run_are_weighed_by_what_was_learnt_since(tmp_path: Path, processes: int) -> None:
    with serving(Toy(FORK)) as lab:
        home = lab.url("127.0.10.2")
        with open_web(tmp_path) as web:
            web.run([make_task(home, pages=11, connections=1)])
            before = read_priorities(web)
        run(tmp_path, again=True, processes=processes, pages=12)
        with Web(tmp_path, create=False) as web:
            after = read_priorities(web)
            visits = [count_visits(note) for _, note in web.store.notes(ORDER_ROOM)]
    kept = before.keys() & after.keys()
    assert len(kept) >= 3
    assert all(before[url] != after[url] for url in kept), (
        "the first run was too short to weigh anything again"
    )
    assert max(visits) == 12, "a resumed crawl knows what was learnt before"


def read_priorities(web: Web) -> dict[str, float]:
    host = next(iter(web.store.pages())).host
    return {one.url: one.priority for one in web.store.requests(host, 1, 100)}


@pytest.mark.slow
def test_a_kill_loses_nothing_of_what_was_learnt(tmp_path: Path) -> None:
    with serve_lab(World(seed=11, hosts=4, pages=400, languages=("en",))) as running:
        with open_web(tmp_path):
            pass
        politeness = ["--delay", "0.1", "--adaptive", "0", "--no-robots", "--allow-private", LOOPBACK[0]]
        order = ["--order", "topic+0.5*authority", "--topic", "stars", "--scope", "any"]
        run_and_kill(
            make_command("crawl", *running.seeds, *politeness, *order, *web_options(tmp_path)), tmp_path, 30
        )
        check_counts(tmp_path)
        run_and_kill(make_command("resume", *web_options(tmp_path)), tmp_path, 80)
        check_counts(tmp_path)
        learnt = max(count_noted_visits(tmp_path, "1.0.").values())
        run_and_kill(make_command("resume", "--processes", "2", *web_options(tmp_path)), tmp_path, 120)
        of_two = count_noted_visits(tmp_path, "1.0of2.") | count_noted_visits(tmp_path, "1.1of2.")
        assert min(of_two.values()) > learnt >= 70, (
            "each of the two processes began with what the one had learnt"
        )


def count_noted_visits(folder: Path, prefix: str) -> dict[str, int]:
    """Return the number of visits that each note of a shard was learnt from."""
    with Web(folder, create=False, read_only=True) as web:
        return {
            name: count_visits(note) for name, note in web.store.notes(ORDER_ROOM) if name.startswith(prefix)
        }


def web_options(folder: Path) -> list[str]:
    return ["--web", str(folder), "--json"]


def run_and_kill(arguments: list[str], folder: Path, pages: int) -> None:
    """Run the program and kill it as soon as the web has this many pages."""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
        for _ in range(6_000):  # a guard against hanging
            time.sleep(0.1)
            with Web(folder, create=False, read_only=True) as web:
                if web.store.counts()["pages"] >= pages:
                    break
        assert process.poll() is None, "the program must still run"
        process.send_signal(signal.SIGKILL)


def check_counts(folder: Path) -> None:
    """Check that in-links were counted for exactly the pages whose links are in the web.

    Counts and links are written in one transaction: if a kill could lose what was learnt, they would differ.
    """
    with Web(folder, create=False, read_only=True) as web:
        counted = PageScores()
        for _, note in web.store.notes(ORDER_ROOM):
            counted.load(msgspec.msgpack.decode(note, type=dict[str, bytes]).get("authority", b""))
        linking_pages = defaultdict(set)
        for link in web.store.links():
            linking_pages[link.target].add(link.source)
    known = list(counted.keys())
    assert len(known) > 10
    wrong = {
        key: (counted[key], len(linking_pages[key]))
        for key in known
        if counted[key] != len(linking_pages[key])
    }
    assert not wrong
