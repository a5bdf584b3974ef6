"""`--plot`, `report` and `export` write their files, from webs and from files, or give a one-line error."""

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import networkx
import pytest
from tests.contract.rows import LinkRow, to_columns

import gossamer
from gossamer.cli import main
from gossamer.cli.graph.report import _read_title
from gossamer.cli.output import result_tables
from gossamer.lab.options import Group, Shape
from gossamer.lab.world.world import World
from gossamer.net import url as urls
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web

HOSTILE = "http://b.example/<script>alert(1)</script>[red]$x$"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "edges.csv").write_text("from,to\n1,2\n2,1\n3,1\n2,4\n")
    names = ["http://a.example/", HOSTILE, "http://c.example/", "http://d.example/"]
    (tmp_path / "nodes.csv").write_text("".join(f'{at},"{name}"\n' for at, name in enumerate(names, 1)))
    return ["--nodes", str(tmp_path / "nodes.csv"), "--edges", str(tmp_path / "edges.csv")]


def run_graph(*arguments: str | Path, code: int = 0) -> None:
    assert main.run_verb(["graph", *map(str, arguments)]) == code


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["stats", "bowtie", "pagerank", "hits"])
def test_verbs_draw_their_results(verb: str, files: list[str], tmp_path: Path) -> None:
    for end, begins in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".html", b"<!doctype html>")):
        run_graph(verb, *files, "--plot", tmp_path / f"picture{end}")
        assert (tmp_path / f"picture{end}").read_bytes().startswith(begins)
    page = (tmp_path / "picture.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "<script" not in page


@pytest.mark.slow
def test_a_comparison_is_drawn(files: list[str], tmp_path: Path) -> None:
    run_graph("compare", f"{files[3]},name=[b]", "--whole-web", "--plot", tmp_path / "both.svg")
    assert "[b]" in (tmp_path / "both.svg").read_text("utf-8")


@pytest.mark.slow
def test_the_report_of_a_web_has_crawl_settings_version_and_date(crawled: Path, tmp_path: Path) -> None:
    run_graph("report", "--web", crawled, "--out", tmp_path / "report.html", "--full")
    page = (tmp_path / "report.html").read_text("utf-8")
    for message in (
        str(crawled),
        gossamer.__version__,
        "Task all: settings",
        "politeness.delay_s",
        "downloaded",
    ):
        assert message in page
    assert " src=" not in page
    assert 'href="http' not in page


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a web with marks of a classifier, all kinds of groups, and noise; tests must not change it."""
    folder = tmp_path_factory.mktemp("studied") / "studied.web"
    groups = (
        Group(kind="clique", count=2, left=7),
        Group(kind="dense", count=2, left=9, density=0.8),
        Group(kind="bipartite", count=2, left=7, right=7),
    )
    truth = World(seed=3, hosts=6, pages=240, shape=Shape(groups=groups)).graph()
    farm = [f"http://farm{number}.example/" for number in range(6)]
    marks = [{"relevance": str(number % 10 / 10)} for number in range(len(truth.urls))]
    pages = [page(url, number % 4, number) for number, url in enumerate(truth.urls)]
    pages = [msgspec.structs.replace(one, marks=mark) for one, mark in zip(pages, marks, strict=True)]
    pages += [page(url, 0, 10_000) for url in farm]
    links = [
        link(truth.urls[a], truth.urls[b], "words") for a, b in zip(truth.sources, truth.targets, strict=True)
    ]
    links += [link(a, b, "") for a in farm for b in farm if a != b]
    with Web(folder) as web:
        known = [(one.id, one.url) for one in pages]
        web.store.commit(Batch(pages=pages, links=to_columns(links), known=known))
    return folder


def page(url: str, depth: int, words: int) -> Page:
    return Page(
        urls.page_id(url), url, urls.host(url), 1, depth, 1.0, 200, "html", "Title [b]", text_digest=words
    )


def link(source: str, target: str, text: str) -> LinkRow:
    return urls.page_id(source), urls.page_id(target), "a", text, False, True, True


PARTS = [
    "Pages and links",
    "Bow-tie",
    "Side by side",
    "PageRank",
    "Hubs and authorities",
    "Cliques",
    "Clusters",
    "Bipartite cores",
    "Communities",
    "Link noise",
]


@pytest.mark.slow
def test_the_report_has_all_sections(studied: Path, tmp_path: Path) -> None:
    run_graph("report", "--web", studied, "--out", tmp_path / "report.html", "--similar", "0.8", "--full")
    report = (tmp_path / "report.html").read_text("utf-8")
    _, *sections = report.split("<section ")
    assert [part.partition("<h2>")[2].partition("</h2>")[0] for part in sections] == [*PARTS, "What this is"]
    for part, section in zip(PARTS, sections, strict=False):
        assert section.count("<svg") == 1, part
        assert "<table>" in section, part
    message = "".join(sections)
    for words in (
        "exponent ",
        "What a classifier said",
        "whole web (Broder et al. 2000)",
        "links between sites",
        "hosts as nodes",
        "size 6, t_min 0.5, t_max 0.8, decay 0.9, similar 0.8",
        "fans 6, centres 6",
        "Title [b]",
        "farm",
    ):
        assert words in message, words


@pytest.mark.slow
def test_the_report_opens_with_findings_and_is_short(studied: Path, tmp_path: Path) -> None:
    run_graph("report", "--web", studied, "--out", tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text("utf-8")
    findings = re.findall("<p>(.*?)</p>", report.partition("<nav>")[0])
    assert len(findings) == 5
    for finding, words in zip(
        findings,
        ("246 pages", "core", "best linked tenth", "PageRank over content links", "communities"),
        strict=True,
    ):
        assert words in finding, finding
    assert all(finding.endswith(".") for finding in findings)
    for title in ("Cliques", "Side by side", "Settings of the crawl"):
        assert f"<h2>{title}</h2>" not in report
    # A figure has at most 34 rem, a row some 1.9: ten screens of 720 pixels are 450 rem.
    lines = report.count("<tr>") + sum(
        cell.count("\n") for cell in re.findall("<td.*?</td>", report, re.DOTALL)
    )
    assert 36 * report.count("<svg") + 1.9 * lines + 6 * report.count("<section") < 450


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["cliques", "clusters", "cores", "communities", "noise"])
def test_groups_are_drawn(verb: str, studied: Path, tmp_path: Path) -> None:
    run_graph(verb, "--web", studied, "--plot", tmp_path / "groups.svg", "--top", "3")
    picture = (tmp_path / "groups.svg").read_text("utf-8")
    assert re.search(r">\S*\s?\(\d+\)<" if verb == "communities" else r"1\. Title \[b\]", picture)


@pytest.mark.slow
def test_the_report_of_files_shows_progress_and_escapes_names(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[float] = []
    monkeypatch.setattr(result_tables, "show_progress", lambda _: nullcontext(parts.append))
    run_graph("report", *files, "--out", tmp_path / "report.html")
    assert parts == sorted(parts)
    assert len({int(10 * part) for part in parts}) >= 8
    assert 0 <= min(parts) <= max(parts) <= 1
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "http://b.example/&lt;script&gt;alert(1)&lt;/script&gt;[red]$x$" in page


def test_exported_graphs_can_be_read_again(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_json(*arguments: str | Path) -> dict[str, Any]:
        run_graph(*arguments, "--json")
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    first = run_json("bowtie", "--web", crawled)["regions"]
    nodes, edges = run_json("export", "lines", tmp_path / "files", "--web", crawled)["files"]
    assert run_json("bowtie", "--nodes", nodes, "--edges", edges)["regions"] == first
    nodes, edges = run_json("export", "parquet", tmp_path / "tables", "--web", crawled)["files"]
    assert run_json("bowtie", "--nodes", nodes, "--edges", edges)["regions"] == first
    (path,) = run_json("export", "graphml", tmp_path / "map.graphml", "--web", crawled)["files"]
    assert run_json("bowtie", "--edges", path)["regions"] == first
    (path,) = run_json("export", "gexf", tmp_path / "map.gexf", "--web", crawled)["files"]
    titles = [data["title"] for _, data in networkx.read_gexf(path, version="1.3").nodes(data=True)]
    assert len(titles) == sum(first[region]["nodes"] for region in first if region != "TENDRILS")
    assert any(titles)


def test_names_from_the_web_are_safe_in_spreadsheets_and_terminals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "edges.csv").write_text("1,2\n2,1\n")
    (tmp_path / "nodes.csv").write_text('1,"=cmd|x"\n2,"\x1b[31mred\u202e[bold]"\n')
    files = ["--nodes", str(tmp_path / "nodes.csv"), "--edges", str(tmp_path / "edges.csv")]
    for verb in ("pagerank", "cliques", "communities"):
        run_graph(
            verb, *files, "--out", tmp_path / "all.csv", *(["--size", "2"] if verb == "cliques" else [])
        )
        message = capsys.readouterr().out
        assert "\x1b" not in message
        assert "\u202e" not in message
        assert "[31mred [bold]" in message
        assert "'=cmd|x" in (tmp_path / "all.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bowtie", "--plot", "tie.gif"], "must end with .svg, .png or .html"),
        (["bowtie", "--links", "nowhere"], "links cannot be 'nowhere'; there are all, hosts, sites"),
        (["bowtie", "--types", "a,zz"], "types cannot be 'zz'; there are a, area"),
        (["pagerank", "--epsilon", "inf"], "epsilon must be a number above 0"),
        (["communities", "--resolution", "inf"], "the resolution must be a number above 0"),
        (["hits", "--around", "-1"], "--around"),
        (["report", "--cluster-preset", "zz"], "there is no preset 'zz'"),
        (["bowtie", "--plot", "no-such-folder/tie.svg"], "there is no folder"),
        (["report", "--out", "report.pdf"], "must end with .html"),
        (
            ["report", "--out", "no-such-folder/report.html"],
            "--out no-such-folder/report.html: there is no folder",
        ),
        (["export", "gexf", "."], "exists already"),
        (["export", "dot", "map.dot"], "dot"),
    ],
)
def test_wrong_use_gives_a_one_line_error(
    arguments: list[str], message: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run_graph(*arguments, *files, code=2)
    words = capsys.readouterr()
    assert words.out == ""
    assert message in words.err
    assert words.err.count("\n") == 1


def test_a_report_has_the_title_of_its_web(tmp_path: Path) -> None:
    with Web(tmp_path / "web") as web:
        assert _read_title({"web": web.folder}) == ""
        web.set_title("Birds")
    assert _read_title({"web": tmp_path / "web"}) == "Birds"
    assert _read_title({"edges": tmp_path / "edges.csv"}) == ""
