"""Tasks with languages keep the pages in these and follow their links, by detected and not by declared language."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import (
    Toy,
    check_state,
    get_world,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.explain.explain_url import InTask, explain
from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.store.model_folder import keep_language_model
from gossamer.text.language import Model
from gossamer.web import Web

HOST = "127.0.10.1"
DANISH = (
    "Edderkoppen venter, indtil den må spørge igen, og husker alt det, som den har set på sin vej gennem nettet. "
    "Derefter går den videre til den næste side, som ingen endnu har besøgt, og læser hvad der står på den."
)
ENGLISH = (
    "The spider waits until it may ask again, and remembers everything that it has seen on its way through the web. "
    "After that it goes on to the next page that nobody has visited yet, and reads whatever stands on it."
)


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    """Serve a world of four languages, one for each site; pages link to pages of any language."""
    with serve_lab(World(seed=5, hosts=12, pages=240, languages=("da", "de", "en", "fi"))) as running:
        yield running


def explain_page(folder: Path, url: str) -> InTask:
    with Web(folder, create=False) as web:
        return explain(web.store, url).tasks[0]


@pytest.mark.slow
def test_a_crawl_keeps_the_pages_of_its_languages(lab: LabServer, tmp_path: Path) -> None:
    world = get_world(lab)
    every = {url: page for url in world.reachable() if (page := world.page(url)) is not None}
    wanted = {url for url, page in every.items() if page.language == "da"}
    assert 20 < len(wanted) < len(every) / 2
    ended = run(
        tmp_path / "web", make_quick_task(lab, seeds=[*lab.seeds, *sorted(wanted)[:1]], language=["da"])
    ).get_end()
    kept = read_pages(tmp_path / "web")
    languages = Counter((every[url].language, page.language) for url, page in kept.items() if url in every)
    foreign = {pair: pages for pair, pages in languages.items() if pair[0] != "da"}
    assert languages["da", "da"] >= 0.95 * len(wanted), languages
    assert sum(foreign.values()) <= 0.02 * len(kept), languages
    assert ended.counts["filtered:language"] > 0
    assert ended.counts["downloaded"] < len(every), "links of pages in other languages are not followed"
    check_state(tmp_path / "web")


def toy(pages: dict[str, LabAnswer]) -> Toy:
    return Toy({HOST: {"/robots.txt": LabAnswer(404), **pages}})


def test_the_declared_language_is_stored_but_not_trusted(tmp_path: Path) -> None:
    pages = {
        "/": make_link_page("/next", text=f"<html lang='en'><p>{DANISH}"),
        "/next": make_link_page(text=ENGLISH),
    }
    with serving(toy(pages)) as lab:
        ended = run(tmp_path, make_quick_task(lab, seeds=[lab.url(HOST)])).get_end()
    kept = {url.rpartition("/")[2]: page for url, page in read_pages(tmp_path).items()}
    assert (kept[""].language, kept[""].declared_language) == ("da", "en")
    assert (kept["next"].language, kept["next"].declared_language) == ("en", "")
    assert ended.counts["downloaded"] == 2, "a task without languages follows everything"


FAMILY = {
    "/": make_link_page("/da", "/en", "/menu", text=ENGLISH),
    "/da": make_link_page(text=DANISH),
    "/en": make_link_page("/beyond", text=ENGLISH),
    "/beyond": make_link_page(text=DANISH),
    "/menu": make_link_page("/further"),
    "/further": make_link_page(text=DANISH),
}


def test_a_page_in_another_language_is_not_kept_and_explained(tmp_path: Path) -> None:
    with serving(toy(FAMILY)) as lab:
        home = lab.url(HOST)
        task = make_quick_task(lab, seeds=[home], language=["da,nb"])
        notified: list[str] = []
        task.listener(lambda page: notified.append(page.url))
        ended = run(tmp_path, task).get_end()
        assert sorted(notified) == sorted(read_pages(tmp_path)), "listeners are notified of kept pages"
        assert {url.removeprefix(home) for url in read_pages(tmp_path)} == {"da", "menu", "further"}
        assert ended.counts["filtered:language"] == 1
        start, english, beyond = (explain_page(tmp_path, home + name) for name in ("", "en", "beyond"))
        assert (start.verdict, start.rule) == ("not kept", "language"), "its links are still followed"
        assert (english.verdict, english.rule) == ("not kept", "language")
        assert english.detail == "the task keeps da, nb: its links are not followed: it is in en"
        assert (beyond.verdict, beyond.rule) == ("not followed", "language")
        run(tmp_path, again=True, language=["da", "en"])
    assert "beyond" in {url.removeprefix(home) for url in read_pages(tmp_path)}, "wider rules admit it"
    check_state(tmp_path)


def test_an_unknown_code_is_refused_with_similar_ones(tmp_path: Path) -> None:
    with serving(toy({"/": make_link_page()})) as lab, pytest.raises(BadInput, match="similar codes"):
        run(tmp_path, make_quick_task(lab, language=["dq"]))


def test_a_web_uses_the_languages_of_its_own_model(tmp_path: Path) -> None:
    lists = {
        "xx": dict.fromkeys(DANISH.lower().split(), 1.0),
        "en": dict.fromkeys(ENGLISH.lower().split(), 1.0),
    }
    with Web(tmp_path):
        keep_language_model(Model.from_lists(lists), tmp_path)
    with serving(toy(FAMILY)) as lab:
        run(tmp_path, make_quick_task(lab, seeds=[lab.url(HOST)], language=["xx"]))
    kept = {page.url.rpartition("/")[2]: page.language for page in read_pages(tmp_path).values()}
    assert kept == {"da": "xx", "menu": "", "further": "xx"}
