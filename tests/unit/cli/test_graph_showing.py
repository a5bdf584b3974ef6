"""`--plot`, `report` and `export` write what they say, from webs and from files, and one sentence when they cannot."""

import json
from pathlib import Path
from typing import Any

import networkx
import pytest

import gossamer
from gossamer.cli import main

HOSTILE = "http://b.example/<script>alert(1)</script>[red]$x$"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "edges.csv").write_text("from,to\n1,2\n2,1\n3,1\n2,4\n")
    names = ["http://a.example/", HOSTILE, "http://c.example/", "http://d.example/"]
    (tmp_path / "nodes.csv").write_text("".join(f'{at},"{name}"\n' for at, name in enumerate(names, 1)))
    return ["--nodes", str(tmp_path / "nodes.csv"), "--edges", str(tmp_path / "edges.csv")]


def graph(*arguments: str | Path, code: int = 0) -> None:
    assert main._exit_code(["graph", *map(str, arguments)]) == code


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["stats", "bowtie", "pagerank", "hits"])
def test_verbs_draw(verb: str, files: list[str], tmp_path: Path) -> None:
    for end, begins in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".html", b"<!doctype html>")):
        graph(verb, *files, "--plot", tmp_path / f"picture{end}")
        assert (tmp_path / f"picture{end}").read_bytes().startswith(begins)
    page = (tmp_path / "picture.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "<script" not in page


@pytest.mark.slow
def test_a_comparison_is_drawn(files: list[str], tmp_path: Path) -> None:
    graph("compare", f"{files[3]},name=[b]", "--whole-web", "--plot", tmp_path / "both.svg")
    assert "[b]" in (tmp_path / "both.svg").read_text("utf-8")


@pytest.mark.slow
def test_the_report_of_a_web_tells_crawl_settings_version_and_date(crawled: Path, tmp_path: Path) -> None:
    graph("report", "--web", crawled, "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    for said in (
        str(crawled),
        gossamer.__version__,
        "Task all: settings",
        "politeness.delay_s",
        "downloaded",
    ):
        assert said in page
    for part in ("Pages and links", "Bow-tie", "PageRank", "Hubs and authorities"):
        assert f"<h2>{part}</h2>" in page
    assert page.count("<svg") == 4
    assert " src=" not in page
    assert 'href="http' not in page


@pytest.mark.slow
def test_the_report_of_files_is_safe_from_names(files: list[str], tmp_path: Path) -> None:
    graph("report", *files, "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "http://b.example/&lt;script&gt;alert(1)&lt;/script&gt;[red]$x$" in page


def test_what_was_exported_is_read_again(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*arguments: str | Path) -> dict[str, Any]:
        graph(*arguments, "--json")
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    first = told("bowtie", "--web", crawled)["regions"]
    nodes, edges = told("export", "lines", tmp_path / "files", "--web", crawled)["files"]
    assert told("bowtie", "--nodes", nodes, "--edges", edges)["regions"] == first
    nodes, edges = told("export", "parquet", tmp_path / "tables", "--web", crawled)["files"]
    assert told("bowtie", "--nodes", nodes, "--edges", edges)["regions"] == first
    (path,) = told("export", "graphml", tmp_path / "map.graphml", "--web", crawled)["files"]
    assert told("bowtie", "--edges", path)["regions"] == first
    (path,) = told("export", "gexf", tmp_path / "map.gexf", "--web", crawled)["files"]
    titles = [data["title"] for _, data in networkx.read_gexf(path, version="1.3").nodes(data=True)]
    assert len(titles) == sum(first[region]["nodes"] for region in first if region != "TENDRILS")
    assert any(titles)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bowtie", "--plot", "tie.gif"], "must end with .svg, .png or .html"),
        (["bowtie", "--plot", "no-such-folder/tie.svg"], "there is no folder"),
        (["report", "--out", "report.pdf"], "must end with .html"),
        (["report", "--out", "no-such-folder/report.html"], "there is no folder"),
        (["export", "gexf", "."], "is there already"),
        (["export", "dot", "map.dot"], "dot"),
    ],
)
def test_wrong_use_is_one_sentence(
    arguments: list[str], said: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    graph(*arguments, *files, code=2)
    words = capsys.readouterr()
    assert words.out == ""
    assert said in words.err
    assert words.err.count("\n") == 1
