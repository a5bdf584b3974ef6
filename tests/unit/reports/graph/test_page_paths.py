"""Paths follow redirects, name the words of links, and say why there is none; the command line shows the same."""

import json
from pathlib import Path

import pytest
from tests.unit.reports.hostile_web import ALONE, END, MIDDLE, MOVED, RIM, SCRIPT, START, write_hostile_web

from gossamer.cli import main
from gossamer.errors import BadInput
from gossamer.net.url import page_id
from gossamer.reports.graph.load_page_graph import load_page_graph
from gossamer.reports.graph.page_paths import PageFinder
from gossamer.web import Web


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paths") / "web"
    write_hostile_web(folder)
    return folder


def test_paths_and_their_absence(folder: Path) -> None:
    with Web(folder) as web:
        finder = PageFinder(web.store, load_page_graph(web.store))
        start, end, rim = (finder.find_page(page_id(url)) for url in (START, END, RIM))
        [path] = finder.search(start, end).paths
        assert [step.url for step in path.steps] == [START, MIDDLE, END]
        assert [step.link_text for step in path.steps] == [f"{SCRIPT}on", "{{ 7*7 }}", ""]
        assert finder.find_page(page_id(MOVED)) == finder.find_page(page_id(MIDDLE))
        assert finder.search(start, rim).paths[0].links == 3
        back = finder.search(end, start)
        assert back.paths == ()
        assert back.reason.startswith("No path: this page is ")
        assert "no link of this page" in finder.search(rim, start).reason
        alone = finder.find_page(page_id(ALONE))
        assert finder.search(alone, alone).paths[0].links == 0
        way = finder.find_way_from([page_id(START), page_id(ALONE)], rim)
        assert way is not None
        assert way.steps[0].url == START
        assert finder.find_way_from([page_id(ALONE)], rim) is None
        with pytest.raises(BadInput, match="does not know this page"):
            finder.find_page(page_id("http://unknown.example/"))


def test_the_command_line_prints_paths(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["graph", "path", "a.example", END, "--web", str(folder)]
    assert main.run_verb([*arguments, "--back", "--json"]) == 0
    there, back = map(json.loads, capsys.readouterr().out.splitlines())
    assert [step["url"] for step in there["paths"][0]["steps"]] == [START, MIDDLE, END]
    assert back["paths"] == []
    assert main.run_verb(arguments) == 0
    assert f"[{SCRIPT}on]" in capsys.readouterr().out
    assert main.run_verb(["graph", "path", END, START, "--web", str(folder)]) == 1
    assert "No path" in capsys.readouterr().out
    assert main.run_verb(["graph", "path", "http://nowhere.example", END, "--web", str(folder)]) == 2
    assert "does not know this page" in capsys.readouterr().err
