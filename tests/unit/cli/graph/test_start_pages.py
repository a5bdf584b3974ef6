"""Rankings start from the pages of a query or a topic."""

from pathlib import Path

import pytest
from tests.unit.cli.graph.graph_verbs import run_graph, run_json
from tests.unit.text.topics.topic_pages import GENERAL, pages

from gossamer.store.model_folder import keep_topic_model
from gossamer.text.topics import Example, train_topic
from gossamer.web import Web


@pytest.fixture
def topical(web: Path) -> tuple[Path, str]:
    """Return a web with the topic `last`, which its last page is about, and the URL of that page."""
    with Web(web, create=False) as open_graph:
        got = [
            one for one in open_graph.store.pages() if one.kind == "html" and one.status == 200 and one.title
        ]
    about, others = (
        Example(got[-1].title),
        [Example(one.title) for one in got if one.title != got[-1].title],
    )
    keep_topic_model(train_topic([about], others), web, "last")
    return web, got[-1].url


def run_refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    run_graph(*arguments, code=2)
    message = capsys.readouterr()
    assert (message.out, message.err.count("\n")) == ("", 1)
    return message.err


def test_preference_for_a_topic(topical: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    web, url = topical
    found = run_json(
        capsys, "pagerank", "--web", web, "--prefer-topic", "last", "--damping", "0", "--top", "0"
    )["pages"]
    assert url in [one["name"] for one in found]
    assert sum(one["score"] for one in found) == pytest.approx(1)
    hosts = run_json(
        capsys, "pagerank", "--web", web, "--prefer-topic", "last", "--unit", "hosts", "--damping", "0"
    )
    assert url.split("/")[2] in [one["name"] for one in hosts["pages"]]


def neighbours(web: Path, urls: set[str]) -> set[str]:
    """Return these pages, the pages they link to, and the pages that link to them."""
    with Web(web, create=False) as open_graph:
        links = open_graph.graph()
        names = links.names.of(range(links.nodes))
    found = set(urls)
    for source, target in zip(links.link_sources().tolist(), links.targets.tolist(), strict=True):
        if {names[source], names[target]} & urls:
            found |= {names[source], names[target]}
    return found


def test_hubs_around_a_topic(topical: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    web, _ = topical
    begun = run_json(
        capsys, "pagerank", "--web", web, "--prefer-topic", "last", "--damping", "0", "--top", "0"
    )["pages"]
    around = run_json(capsys, "hits", "--web", web, "--top", "0", "--around-topic", "last")
    named = {one["name"] for one in [*around["authorities"], *around["hubs"]]}
    assert named
    assert named <= neighbours(web, {one["name"] for one in begun})
    from_them = run_json(capsys, "hits", "--web", web, "--authorities-topic", "last", "--top", "3")
    assert len(from_them["hubs"]) == 3


@pytest.mark.slow  # an index is built
def test_rankings_start_from_the_results_of_a_query(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no index yet" in run_refused(capsys, "pagerank", "--web", web, "--prefer-search", "word")
    with Web(web, create=False) as open_graph:
        open_graph.index()
        got = [
            one for one in open_graph.store.pages() if one.kind == "html" and one.status == 200 and one.title
        ]
        urls = open_graph.store.urls(open_graph.pages_found(f"title:{got[-1].title.split()[0]}"))
    word = got[-1].title.split()[0]
    found = run_json(
        capsys, "pagerank", "--web", web, "--prefer-search", f"title:{word}", "--damping", "0", "--top", "0"
    )
    assert {one["name"] for one in found["pages"]} == set(urls.values())
    around = run_json(capsys, "hits", "--web", web, "--around-search", f"title:{word}", "--top", "0")
    assert {one["name"] for one in around["authorities"]} | {one["name"] for one in around["hubs"]}
    message = run_refused(capsys, "hits", "--web", web, "--around-search", "xyzzyplugh")
    assert "'xyzzyplugh' finds no page of this graph" in message


def test_invalid_start_pages_are_refused(
    topical: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web, _ = topical
    edges = tmp_path / "edges.csv"
    edges.write_text("from,to\n1,2\n2,1\n")
    assert "has no topic 'missing'" in run_refused(capsys, "hits", "--web", web, "--around-topic", "missing")
    for option in ("--prefer-search", "--prefer-topic"):
        assert "searches and topics need a web" in run_refused(
            capsys, "pagerank", "--edges", edges, option, "x"
        )
    far = train_topic([Example("xyzzy plugh"), Example("plugh, xyzzy")], pages(GENERAL, 30))
    keep_topic_model(far, web, "far")
    assert "no page of this graph is about 'far'" in run_refused(
        capsys, "pagerank", "--web", web, "--prefer-topic", "far"
    )
