"""`gossamer graph` finds cliques, clusters, cores, communities and noise, and names their pages."""

import csv
import random
from pathlib import Path

import networkx
import pytest
from tests.contract.rows import LinkRow, to_columns
from tests.unit.cli.graph.graph_verbs import run_graph, run_json

from gossamer.lab.options import Group, Shape
from gossamer.lab.world.world import World
from gossamer.net import url as urls
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web

VERBS = ["cliques", "clusters", "cores", "communities"]


def names(members: list[dict[str, str]]) -> set[str]:
    return {member["name"] for member in members}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, list[str]]:
    """Return the graph of a lab world as node and edge files."""
    groups = (
        Group(kind="clique", count=2, left=6),
        Group(kind="dense", count=2, left=9, density=0.75),
        Group(kind="bipartite", count=2, left=7, right=6),
    )
    world = World(seed=3, hosts=8, pages=600, shape=Shape(groups=groups))
    truth = world.graph()
    folder = tmp_path_factory.mktemp("planted")
    lines = [f'{number},"{url}"\n' for number, url in enumerate(truth.urls)]
    (folder / "nodes.csv").write_text("".join(lines))
    edges = [f"{a},{b}\n" for a, b in zip(truth.sources, truth.targets, strict=True)]
    (folder / "edges.csv").write_text("".join(edges))
    return world, ["--nodes", str(folder / "nodes.csv"), "--edges", str(folder / "edges.csv")]


def test_planted_cliques_clusters_and_cores_are_found(
    planted: tuple[World, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    world, files = planted
    cliques = [names(one["members"]) for one in run_json(capsys, "cliques", *files, "--top", "0")["cliques"]]
    rules = ["--size", "6", "--t-min", "0.4", "--t-max", "0.8", "--similar", "0.6", "--top", "0"]
    clusters = [names(one["members"]) for one in run_json(capsys, "clusters", *files, *rules)["clusters"]]
    cores = run_json(capsys, "cores", *files, "--top", "0")["cores"]
    sides = [(names(one["fans"]), names(one["centres"])) for one in cores]
    for community in world.communities():
        left, right = set(community.left), set(community.right)
        if community.kind == "clique":
            assert any(left <= clique for clique in cliques)
        elif community.kind == "dense":
            assert any(len(left & cluster) >= 0.6 * len(left) for cluster in clusters)
        else:
            assert any(left <= fans and right <= centres for fans, centres in sides)


@pytest.mark.parametrize("verb", VERBS)
def test_tables_and_files_show_the_same(
    verb: str, planted: tuple[World, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, files = planted
    found = run_json(capsys, verb, *files, "--top", "0", "--out", tmp_path / "all.csv")
    assert found["found"] == len(found[verb]) > 0
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    first = [row for row in rows if row[verb.removesuffix("s").replace("communitie", "community")] == "1"]
    if verb == "communities":
        assert len(rows) == found["graph"]["nodes"]
        assert len(first) == found[verb][0]["pages"]
    else:
        members = found[verb][0].get("members") or [*found[verb][0]["fans"], *found[verb][0]["centres"]]
        assert [row["name"] for row in first] == [member["name"] for member in members]
    run_graph(verb, *files, "--top", "1")
    assert f"the first 1 of {found['found']:,}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("verb", "more", "message"),
    [
        ("cliques", ["--size", "1"], "two members"),
        ("clusters", ["--preset", "9-9-9"], "there is no preset '9-9-9'; choose one of 3-1-1"),
        ("clusters", ["--t-min", "0.9", "--t-max", "0.5"], "t_min ≤ t_max"),
        ("clusters", ["--t-min", "nan"], "t_min ≤ t_max"),
        ("clusters", ["--decay", "2"], "decay"),
        ("clusters", ["--similar", "0"], "similar"),
        ("cores", ["--fans", "0"], "at least one fan and one centre"),
        ("cores", ["--famous", "-1"], "famous"),
        ("cores", ["--variant", "other"], "no variant 'other' of cores"),
        ("communities", ["--method", "magic"], "no method 'magic'"),
        ("communities", ["--resolution", "nan"], "resolution"),
        ("communities", ["--rounds", "-1"], "there cannot be -1 rounds: give 1 or more, or 0"),
        ("noise", [], "instead of --edges, give --web with the directory of a crawl"),
        ("bowtie", ["--without-noise"], "--without-noise needs a web"),
    ],
)
def test_invalid_parameters_give_a_one_line_error(
    verb: str,
    more: list[str],
    message: str,
    planted: tuple[World, list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_graph(verb, *planted[1], *more, code=2)
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def noisy_web(folder: Path) -> list[str]:
    """Make a web of eight hosts; six have one page that links to its copies by invisible links."""
    pages = [f"http://host{number}.example/" for number in range(8)]
    farm = pages[:6]
    links: list[LinkRow] = [link(a, b, "") for a in farm for b in farm if a != b]
    links += [
        link(pages[6], pages[7], "words"),
        link(farm[0], pages[6], "words"),
        link(pages[7], farm[1], "words"),
    ]
    rows = [
        Page(
            urls.page_id(url),
            url,
            urls.host(url),
            1,
            0,
            1.0,
            200,
            "html",
            text_digest=7 if url in farm else number,
        )
        for number, url in enumerate(pages, 100)
    ]
    with Web(folder) as web:
        web.store.commit(
            Batch(pages=rows, links=to_columns(links), known=[(urls.page_id(url), url) for url in pages])
        )
    return farm


def link(source: str, target: str, text: str) -> LinkRow:
    return urls.page_id(source), urls.page_id(target), "a", text, False, True, True


def test_noise_is_found_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    farm = noisy_web(tmp_path / "web")
    found = run_json(capsys, "noise", "--web", tmp_path / "web", "--out", tmp_path / "noise.csv")
    assert [(one["kind"], one["pages"], one["hosts"], one["links"]) for one in found["disturbances"]] == [
        ("farm", 6, 6, 30)
    ]
    assert names(found["disturbances"][0]["members"]) == set(farm)
    assert len((tmp_path / "noise.csv").read_text().splitlines()) == 7
    left = run_json(capsys, "stats", "--web", tmp_path / "web", "--without-noise")
    assert left["graph"] == {
        "nodes": 2,
        "links": 1,
        "loops": 0,
        "repeated": 0,
        "unknown": 0,
        "disturbing": 6,
        "template": 0,
    }
    assert left["depths"] == {"0": 2}
    hosts = run_json(capsys, "stats", "--web", tmp_path / "web", "--without-noise", "--unit", "hosts")
    assert (hosts["nodes"], hosts["links"]) == (2, 1)
    run_graph("stats", "--web", tmp_path / "web", "--without-noise")
    assert "6 pages of noise" in capsys.readouterr().out
    run_graph("noise", "--web", tmp_path / "web", "--unit", "hosts", code=2)
    assert "not among hosts: leave out --unit hosts" in capsys.readouterr().err


def test_communities_are_named_by_words_of_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topics = {"tulips": range(4), "violins": range(4, 8)}
    pages = [f"http://host.example/{number}" for number in range(8)]
    links = [
        link(pages[a], pages[b], f"about {topic}")
        for topic, some in topics.items()
        for a in some
        for b in some
        if a != b
    ]
    rows = [Page(urls.page_id(url), url, urls.host(url), 1, 0, 1.0, 200, "html") for url in pages]
    with Web(tmp_path) as web:
        web.store.commit(
            Batch(pages=rows, links=to_columns(links), known=[(urls.page_id(url), url) for url in pages])
        )
    found = run_json(capsys, "communities", "--web", tmp_path)["communities"]
    assert sorted(one["words"][0] for one in found) == ["tulips", "violins"]


def test_the_output_names_a_method_chosen_by_size(
    planted: tuple[World, list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gossamer.graph.groups.communities.MOST_FOR_LEIDEN", 10)
    run_graph("communities", *planted[1])
    assert " by labels (--method leiden takes minutes" in " ".join(capsys.readouterr().out.split())
    assert run_json(capsys, "communities", *planted[1])["method"] == "labels"


@pytest.fixture
def with_menu(tmp_path: Path) -> Path:
    """Make a web of two subjects on one host; every page has the same menu of six links."""
    urls_of = {
        name: [f"http://a.example/{name}{number}" for number in range(15)] for name in ("roses", "ships")
    }
    menu = [f"http://a.example/menu{number}" for number in range(6)]
    pages, rows = [], list[LinkRow]()
    for name, own in urls_of.items():
        for number, url in enumerate(own):
            pages.append(make_page(url, f"{name.capitalize()} {'abcdefghijklmno'[number] * 4}"))
            rows += [make_link(url, target, "menu words") for target in menu]
            rows += [
                make_link(url, own[(number + step) % 15], name)
                for step in random.Random(number).sample(range(1, 15), 5)
            ]
    pages += [make_page(url, "Licence") for url in menu]
    with Web(tmp_path / "menu.web") as web:
        known = [(one.id, one.url) for one in pages]
        web.store.commit(Batch(pages=pages, links=to_columns(rows), known=known))
    return tmp_path / "menu.web"


def make_page(url: str, title: str) -> Page:
    return Page(urls.page_id(url), url, urls.host(url), 1, 0, 1.0, 200, "html", title)


def make_link(source: str, target: str, text: str) -> LinkRow:
    return urls.page_id(source), urls.page_id(target), "a", text, False, False, False


def test_communities_leave_out_what_templates_repeat(
    with_menu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run_json(capsys, "communities", "--web", with_menu)
    assert found["links"] == "content"
    assert found["graph"]["template"] == 180
    assert [one["pages"] for one in found["communities"][:2]] == [15, 15]
    assert {one["words"][0] for one in found["communities"][:2]} == {"roses", "ships"}
    every = run_json(capsys, "communities", "--web", with_menu, "--links", "all")
    assert (every["links"], every["graph"]["template"]) == ("all", 0)
    assert every["graph"]["links"] == found["graph"]["links"] + 180


def test_pagerank_says_which_links_it_used(with_menu: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = run_json(capsys, "pagerank", "--web", with_menu)
    content = run_json(capsys, "pagerank", "--web", with_menu, "--links", "content")
    assert (every["links"], content["links"]) == ("all", "content")
    assert "menu" in every["pages"][0]["name"]
    assert "menu" not in content["pages"][0]["name"]
    run_graph("pagerank", "--web", with_menu)
    assert "PageRank is by all links; --links content leaves out" in " ".join(capsys.readouterr().out.split())


def test_content_links_need_a_web(
    planted: tuple[World, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, files = planted
    run_graph("pagerank", *files, "--links", "content", code=2)
    assert "--links content needs a web" in capsys.readouterr().err
    assert run_json(capsys, "communities", *files)["links"] == "all"


def test_exported_nodes_have_the_communities_of_content_links(with_menu: Path, tmp_path: Path) -> None:
    run_graph("export", "gexf", tmp_path / "map.gexf", "--web", with_menu)
    nodes = dict(networkx.read_gexf(tmp_path / "map.gexf").nodes(data=True)).values()
    named = {one["url"]: one["community name"] for one in nodes}
    assert "roses" in named["http://a.example/roses3"]
    assert "ships" in named["http://a.example/ships3"]
    assert {one["label"] for one in nodes} >= {"Licence", "Roses aaaa"}
