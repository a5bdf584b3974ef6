"""`gossamer graph` says the same to people, machines and files, and one sentence when it cannot."""

import csv
from pathlib import Path

import pytest
from pyarrow import parquet
from tests.unit.cli.graph.graph_verbs import graph, told

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


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    graph(*arguments, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gossamer: ")
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_tells_what_was_left_out(
    verb: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    about = told(capsys, verb, *files)["graph"]
    assert about == {"nodes": 5, "links": 4, "loops": 1, "repeated": 1, "unknown": 0, "disturbing": 0}
    graph(verb, *files)
    assert "Left out: 1 link of a node to itself, 1 repeated link." in capsys.readouterr().out


def test_stats(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "stats", *files)
    assert (found["nodes"], found["links"], found["isolated"], found["reciprocity"]) == (5, 4, 1, 0.5)
    assert found["density"] == 4 / 20
    assert found["strong"] == {"count": 4, "largest": [2, 1, 1, 1]}
    hosts = told(capsys, "stats", *files, "--unit", "hosts")
    assert (hosts["nodes"], hosts["links"]) == (4, 3)
    assert told(capsys, "stats", *files, "--links", "hosts")["links"] == 3


def test_bowtie(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out in ("regions.csv", "regions.parquet"):
        found = told(capsys, "bowtie", *files, "--out", tmp_path / out)["regions"]
        assert found["SCC"] == {"nodes": 2, "share": 0.4}
        assert [found[region]["nodes"] for region in ("IN", "OUT", "TENDRILS", "DISC")] == [1, 1, 0, 1]
    with (tmp_path / "regions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == parquet.read_table(tmp_path / "regions.parquet").to_pylist()
    assert [row["region"] for row in rows] == ["SCC", "SCC", "IN", "OUT", "DISC"]
    assert rows[3]["name"] == "http://b.example/x"


def test_rankings_name_the_best(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    pages = told(capsys, "pagerank", *files, "--top", "2")["pages"]
    assert [page["name"] for page in pages] == ["http://b.example/", "http://a.example/"]
    assert [page["rank"] for page in pages] == [1, 2]
    near = told(capsys, "pagerank", *files, "--prefer", "http://d.example/", "--damping", "0")["pages"]
    assert near == [{"rank": 1, "score": 1.0, "name": "http://d.example/", "title": ""}]
    patterned = told(capsys, "pagerank", *files, "--prefer-pattern", "[cd]", "--damping", "0")["pages"]
    assert [page["score"] for page in patterned] == [0.5, 0.5]
    found = told(capsys, "hits", *files, "--top", "1")
    assert found["hubs"][0]["name"] == "http://b.example/"
    around = told(capsys, "hits", *files, "--authorities", "http://b.example/x", "--around", "1")
    assert {page["name"] for page in around["hubs"]} == {"http://b.example/"}


def test_compare(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    wanted = [f"{edges},nodes={nodes},name=all", f"{edges},nodes={nodes},unit=hosts,links=hosts"]
    whole, first, second = told(capsys, "compare", *wanted, "--whole-web", "--out", tmp_path / "all.csv")[
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
    graph("compare", *wanted)
    assert "40.00%" in capsys.readouterr().out


def test_a_web(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "stats", "--web", crawled)
    with Web(crawled, create=False) as web:
        pages = list(web.store.pages())
        on_pages = [link for link in web.store.links() if link.type not in ("seed", "redirect", "sitemap")]
    assert found["nodes"] == len(pages)
    assert found["counts"]["all"] == len(on_pages)
    assert found["counts"]["spanning_hosts"] == sum(link.spans_hosts for link in on_pages)
    assert sum(found["depths"].values()) == len(pages)
    assert told(capsys, "stats", "--web", crawled, "--depth", "0-1")["nodes"] == sum(
        p.depth < 2 for p in pages
    )
    assert told(capsys, "stats", "--web", crawled, "--rim")["rim"] > 0
    top = told(capsys, "pagerank", "--web", crawled, "--top", "1")["pages"][0]
    assert (top["name"], top["title"]) in {(page.url, page.title) for page in pages}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--damping", "1.5"], "damping"),
        (["--damping", "nan"], "damping"),
        (["--epsilon", "nan"], "epsilon"),
        (["--epsilon", "-1"], "epsilon"),
        (["--variant", "sideways"], "variant"),
        (["--prefer", "http://nowhere.example/"], "no node"),
        (["--prefer-pattern", "("], "regular expression"),
        (["--prefer-pattern", "nothing"], "found in no name"),
        (["--links", "sideways"], "links"),
        (["--unit", "planets"], "unit"),
        (["--rim"], "only a web knows what --rim"),
        (["--relevance", "2"], "between 0 and 1"),
        (["--depth", "2-1"], "no page has a depth"),
        (["--depth", "deep"], "a range such as 0-2"),
        (["--out", "ranks.xls"], "end with .csv or .parquet"),
        (["--out", "no-such-folder/ranks.csv"], "there is no folder"),
        (["--top", "-1"], "top"),
    ],
)
def test_wrong_use_is_one_sentence(
    files: list[str], more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "pagerank", *files, *more)


@pytest.mark.parametrize("verb", VERBS)
def test_bad_files_are_one_sentence(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("from,to\n1,2\n1,nan\n")
    assert "line 3" in refused(capsys, verb, "--edges", edges)
    edges.write_text("from,to\n")
    assert "empty" in refused(capsys, verb, "--edges", edges)
    edges.write_text("1,3\n")
    (tmp_path / "nodes.csv").write_text('1,"a"\n')
    assert "has no node 3" in refused(capsys, verb, "--edges", edges, "--nodes", tmp_path / "nodes.csv")
    assert "--nodes needs --edges" in refused(capsys, verb, "--nodes", tmp_path / "nodes.csv")
    assert "there is no web" in refused(capsys, verb, "--web", tmp_path)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["edges.csv,colour=red"], "no choice 'colour'"),
        (["edges.csv", "edges.csv"], "the same"),
        (["nowhere.csv"], "no file"),
    ],
)
def test_wrong_comparisons(
    files: list[str], tmp_path: Path, asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "compare", *(f"{tmp_path}/{one}" for one in asked))


def test_around_needs_a_start(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--around needs pages" in refused(capsys, "hits", *files, "--around", "1")
