"""`gossamer topics report`: the tables of a crawl, for people, for machines and as pictures."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.unit.cli.assess.test_assess import drawn

from gossamer.assess.judgements import save_judgements
from gossamer.assess.records import Judgement
from gossamer.cli import main
from gossamer.store.batch import Batch
from gossamer.web import Web

Tells = Callable[..., str]


@pytest.fixture
def tells(capsys: pytest.CaptureFixture[str]) -> Tells:
    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["topics", "report", *map(str, arguments)]) == code
        said = capsys.readouterr()
        assert (said.err.count("\n"), said.out) == (1, "") if code else said.err == ""
        return said.err or said.out

    return run


@pytest.fixture
def rated(web: Path) -> Path:
    """A web whose pages have a relevance, and of which a sample was judged."""
    with Web(web, create=False) as opened:
        pages = list(opened.store.pages())
        marked = [
            msgspec.structs.replace(page, marks={"relevance": str(number % 3 / 2)})
            for number, page in enumerate(pages)
        ]
        opened.store.commit(Batch(pages=marked))
    sample = drawn(web, by=("depth",), asked=5)
    with Web(web, create=False) as opened:
        said = [
            Judgement("a", item.page, "relevant" if item.relevance == 1 else "not", number, 0.0)
            for number, item in enumerate(sample.items, 1)
        ]
        save_judgements(opened.store, "s", said)
    return web


def test_tables_for_people(tells: Tells, rated: Path) -> None:
    shown = tells("--web", rated)
    for said in ("Pages by depth", "breadth: ≥ 0.9", "Pages by relevance", "[0.95, 1.00]", "sample s"):
        assert said in shown
    assert "Harvest, order breadth" in shown
    assert "of the last tenth" in shown


def test_numbers_for_machines(tells: Tells, rated: Path, tmp_path: Path) -> None:
    told = json.loads(tells("--web", rated, "--json", "--out", tmp_path / "all.csv"))
    (crawl,) = told["crawls"]
    pages = sum(row["pages"] for row in crawl["depths"])
    assert sum(crawl["histogram"]) == pages == crawl["harvest"][-1]["pages"]
    assert crawl["histogram"][19] == sum(row["relevant"] for row in crawl["depths"])
    assert {row["precision"] for row in told["assessed"][0]["relevant"] if row["judged"]} == {1.0}
    with (tmp_path / "all.csv").open() as file:
        cells = list(csv.DictReader(file))
    assert {"table": "Pages by depth", "row": "all", "column": "breadth: pages", "value": str(pages)} in cells
    some = json.loads(tells("--web", rated, "--json", "--where", "depth:0", "--relevant", "0.5"))
    assert [row["depth"] for row in some["crawls"][0]["depths"]] == [0]


def test_two_webs_beside_each_other(tells: Tells, rated: Path, crawled: Path) -> None:
    told = json.loads(tells("--web", rated, "--beside", crawled, "--json"))
    assert [(crawl["order"], crawl["web"]) for crawl in told["crawls"]] == [
        ("breadth", str(rated)),
        ("breadth", str(crawled)),
    ]
    assert any(told["crawls"][0]["histogram"])
    assert not any(told["crawls"][1]["histogram"])
    assert told["assessed"][0]["web"] == str(rated)
    assert f"breadth, {crawled.name}" not in tells("--web", rated)
    assert "there is no web at" in tells("--web", rated, "--beside", rated / "none", code=2)


def test_a_crawl_without_relevance_is_reported_with_what_is_missing(tells: Tells, crawled: Path) -> None:
    shown = tells("--web", crawled)
    assert "Pages by depth" in shown
    assert "No page has a relevance" in shown
    assert "`gossamer assess --by depth` does" in shown


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "html"])
def test_pictures(tells: Tells, rated: Path, tmp_path: Path, kind: str) -> None:
    plot = tmp_path / f"report.{kind}"
    assert f"The picture is in {plot}." in tells("--web", rated, "--plot", plot)
    content = plot.read_bytes()
    assert content.startswith(b"\x89PNG") if kind == "png" else b"Pages by depth" in content


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--topic", "chess"), "has no topic 'chess'"),
        (("--sample", "none"), "no sample 'none'"),
        (("--where", "depth:99"), "or none of which --where holds"),
        (("--where", "haydn"), "cannot search for the word 'haydn'"),
        (("--plot", "x.jpg"), "must end with"),
        (("--relevant", "7"), "0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use_is_one_sentence(
    tells: Tells, crawled: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in tells(*arguments, "--web", crawled, code=2)
