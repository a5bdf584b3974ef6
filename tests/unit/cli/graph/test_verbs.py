"""`gossamer graph` shows the same in tables, JSON and files, or gives a one-line error."""

import csv
from pathlib import Path

import pytest
from pyarrow import parquet
from tests.unit.cli.graph.graph_verbs import run_graph, run_json

from gossamer.graph.structure.compare_graphs import WHOLE_WEB
from gossamer.web import Web

VERBS = ["stats", "bowtie", "pagerank", "hits"]
# A core of two, one that leads in, one that is led to, one apart; a loop and a repeat.
EDGES = "from,to\n10,20\n20,10\n30,10\n20,40\n20,40\n10,10\n"
NODES = '10,"http://a.example/"\n20,"http://b.example/"\n30,"http://c.example/"\n40,"http://b.example/x"\n50,"http://d.example/"\n'


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "edges.csv").write_text(EDGES)
    (tmp_path / "nodes.csv").write_text(NODES)
    return ["--nodes", str(tmp_path / "nodes.csv"), "--edges", str(tmp_path / "edges.csv")]


def run_refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    run_graph(*arguments, code=2)
    message = capsys.readouterr()
    assert message.out == ""
    assert message.err.startswith("gossamer: ")
    assert message.err.count("\n") == 1
    return message.err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_reports_omitted_links(
    verb: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    about = run_json(capsys, verb, *files)["graph"]
    assert about == {
        "nodes": 5,
        "links": 4,
        "loops": 1,
        "repeated": 1,
        "unknown": 0,
        "disturbing": 0,
        "template": 0,
    }
    run_graph(verb, *files)
    assert "Left out: 1 link from a node to itself, 1 repeated link." in capsys.readouterr().out


def test_stats(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "stats", *files)
    assert (found["nodes"], found["links"], found["isolated"], found["reciprocity"]) == (5, 4, 1, 0.5)
    assert found["density"] == 4 / 20
    assert found["strong"] == {"count": 4, "largest": [2, 1, 1, 1]}
    hosts = run_json(capsys, "stats", *files, "--unit", "hosts")
    assert (hosts["nodes"], hosts["links"]) == (4, 3)
    assert run_json(capsys, "stats", *files, "--links", "hosts")["links"] == 3


def test_bowtie(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out in ("regions.csv", "regions.parquet"):
        found = run_json(capsys, "bowtie", *files, "--out", tmp_path / out)["regions"]
        assert found["SCC"] == {"nodes": 2, "share": 0.4}
        assert [found[region]["nodes"] for region in ("IN", "OUT", "TENDRILS", "DISC")] == [1, 1, 0, 1]
    with (tmp_path / "regions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == parquet.read_table(tmp_path / "regions.parquet").to_pylist()
    assert [row["region"] for row in rows] == ["SCC", "SCC", "IN", "OUT", "DISC"]
    assert rows[3]["name"] == "http://b.example/x"


def test_rankings_name_the_best(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    pages = run_json(capsys, "pagerank", *files, "--top", "2")["pages"]
    assert [page["name"] for page in pages] == ["http://b.example/", "http://a.example/"]
    assert [page["rank"] for page in pages] == [1, 2]
    near = run_json(capsys, "pagerank", *files, "--prefer", "http://d.example/", "--damping", "0")["pages"]
    assert near == [{"rank": 1, "score": 1.0, "name": "http://d.example/", "title": ""}]
    patterned = run_json(capsys, "pagerank", *files, "--prefer-pattern", "[cd]", "--damping", "0")["pages"]
    assert [page["score"] for page in patterned] == [0.5, 0.5]
    found = run_json(capsys, "hits", *files, "--top", "1")
    assert found["hubs"][0]["name"] == "http://b.example/"
    around = run_json(capsys, "hits", *files, "--authorities", "http://b.example/x", "--around", "1")
    assert {page["name"] for page in around["hubs"]} == {"http://b.example/"}


def test_compare(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    wanted = [f"{edges},nodes={nodes},name=all", f"{edges},nodes={nodes},unit=hosts,links=hosts"]
    whole, first, second = run_json(capsys, "compare", *wanted, "--whole-web", "--out", tmp_path / "all.csv")[
        "columns"
    ]
    assert whole["name"] == WHOLE_WEB.name
    assert (first["name"], first["nodes"], first["regions"]["SCC"], first["shares"]["SCC"]) == (
        "all",
        5,
        2,
        0.4,
    )
    assert (second["nodes"], second["regions"]["OUT"]) == (4, 0)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 1 + 3 * 8
    run_graph("compare", *wanted)
    assert "40.00%" in capsys.readouterr().out


def test_a_web(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "stats", "--web", crawled)
    with Web(crawled, create=False) as web:
        pages = list(web.store.pages())
        on_pages = [link for link in web.store.links() if link.type not in ("seed", "redirect", "sitemap")]
    assert found["nodes"] == len(pages)
    assert found["counts"]["all"] == len(on_pages)
    assert found["counts"]["spanning_hosts"] == sum(link.spans_hosts for link in on_pages)
    assert sum(found["depths"].values()) == len(pages)
    assert run_json(capsys, "stats", "--web", crawled, "--depth", "0-1")["nodes"] == sum(
        p.depth < 2 for p in pages
    )
    assert run_json(capsys, "stats", "--web", crawled, "--rim")["rim"] > 0
    top = run_json(capsys, "pagerank", "--web", crawled, "--top", "1")["pages"][0]
    assert (top["name"], top["title"]) in {(page.url, page.title) for page in pages}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--damping", "1.5"], "damping"),
        (["--damping", "nan"], "damping"),
        (["--epsilon", "nan"], "epsilon"),
        (["--epsilon", "-1"], "epsilon"),
        (["--variant", "sideways"], "variant"),
        (["--prefer", "http://nowhere.example/"], "no node"),
        (["--prefer-pattern", "("], "regular expression"),
        (["--prefer-pattern", "nothing"], "no node has a name that matches"),
        (["--links", "sideways"], "links"),
        (["--unit", "planets"], "unit"),
        (["--rim"], "--rim needs a web"),
        (["--relevance", "2"], "from 0 to 1"),
        (["--depth", "2-1"], "no page has a depth"),
        (["--depth", "deep"], "a range such as 0-2"),
        (["--out", "ranks.xls"], "end with .csv or .parquet"),
        (["--out", "no-such-folder/ranks.csv"], "there is no folder"),
        (["--top", "-1"], "top"),
    ],
)
def test_wrong_use_gives_a_one_line_error(
    files: list[str], more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in run_refused(capsys, "pagerank", *files, *more)


@pytest.mark.parametrize("verb", VERBS)
def test_invalid_files_give_a_one_line_error(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("from,to\n1,2\n1,nan\n")
    assert "line 3" in run_refused(capsys, verb, "--edges", edges)
    edges.write_text("from,to\n")
    assert "empty" in run_refused(capsys, verb, "--edges", edges)
    edges.write_text("1,3\n")
    (tmp_path / "nodes.csv").write_text('1,"a"\n')
    assert "has no node 3" in run_refused(capsys, verb, "--edges", edges, "--nodes", tmp_path / "nodes.csv")
    assert "--nodes needs --edges" in run_refused(capsys, verb, "--nodes", tmp_path / "nodes.csv")
    assert "there is no web" in run_refused(capsys, verb, "--web", tmp_path)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["edges.csv,colour=red"], "no option 'colour'"),
        (["edges.csv", "edges.csv"], "the same"),
        (["nowhere.csv"], "no file"),
    ],
)
def test_invalid_comparisons_are_refused(
    files: list[str], tmp_path: Path, asked: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in run_refused(capsys, "compare", *(f"{tmp_path}/{one}" for one in asked))


def test_around_needs_start_pages(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--around needs pages" in run_refused(capsys, "hits", *files, "--around", "1")
