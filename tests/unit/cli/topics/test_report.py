"""`gossamer topics report`: its tables, JSON and plots."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.unit.cli.assess.test_assess import store_sample

from gossamer.assess.judgements import save_judgements
from gossamer.assess.records import Judgement
from gossamer.cli import main
from gossamer.store.batch import Batch
from gossamer.web import Web

Report = Callable[..., str]


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["topics", "report", *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        assert (err.count("\n"), out) == (1, "") if code else err == ""
        return err or out

    return run


@pytest.fixture
def rated(web: Path) -> Path:
    """A web whose pages have a relevance, with a judged sample."""
    with Web(web, create=False) as opened:
        pages = list(opened.store.pages())
        marked = [
            msgspec.structs.replace(page, marks={"relevance": str(number % 3 / 2)})
            for number, page in enumerate(pages)
        ]
        opened.store.commit(Batch(pages=marked))
    sample = store_sample(web, by=("depth",), asked=5)
    with Web(web, create=False) as opened:
        said = [
            Judgement("a", item.page, "relevant" if item.relevance == 1 else "not", number, 0.0)
            for number, item in enumerate(sample.items, 1)
        ]
        save_judgements(opened.store, "s", said)
    return web


def test_tables_are_printed(report: Report, rated: Path) -> None:
    shown = report("--web", rated)
    for text in ("Pages by depth", "breadth: ≥ 0.9", "Pages by relevance", "[0.95, 1.00]", "sample s"):
        assert text in shown
    assert "Harvest, order breadth" in shown
    assert "of the last tenth" in shown


def test_json_and_csv_have_all_numbers(report: Report, rated: Path, tmp_path: Path) -> None:
    found = json.loads(report("--web", rated, "--json", "--out", tmp_path / "all.csv"))
    (crawl,) = found["crawls"]
    pages = sum(row["pages"] for row in crawl["depths"])
    assert sum(crawl["histogram"]) == pages == crawl["harvest"][-1]["pages"]
    assert crawl["histogram"][19] == sum(row["relevant"] for row in crawl["depths"])
    assert {row["precision"] for row in found["assessed"][0]["relevant"] if row["judged"]} == {1.0}
    with (tmp_path / "all.csv").open() as file:
        cells = list(csv.DictReader(file))
    assert {"table": "Pages by depth", "row": "all", "column": "breadth: pages", "value": str(pages)} in cells
    some = json.loads(report("--web", rated, "--json", "--where", "depth:0", "--relevant", "0.5"))
    assert [row["depth"] for row in some["crawls"][0]["depths"]] == [0]


def test_two_webs_are_compared(report: Report, rated: Path, crawled: Path) -> None:
    found = json.loads(report("--web", rated, "--beside", crawled, "--json"))
    assert [(crawl["order"], crawl["web"]) for crawl in found["crawls"]] == [
        ("breadth", str(rated)),
        ("breadth", str(crawled)),
    ]
    assert any(found["crawls"][0]["histogram"])
    assert not any(found["crawls"][1]["histogram"])
    assert found["assessed"][0]["web"] == str(rated)
    assert f"breadth, {crawled.name}" not in report("--web", rated)
    assert "there is no web at" in report("--web", rated, "--beside", rated / "none", code=2)


def test_a_report_names_what_is_missing(report: Report, crawled: Path) -> None:
    shown = report("--web", crawled)
    assert "Pages by depth" in shown
    assert "No page has a relevance" in shown
    assert "use `gossamer assess --by depth`" in shown


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "html"])
def test_the_report_is_drawn(report: Report, rated: Path, tmp_path: Path, kind: str) -> None:
    plot = tmp_path / f"report.{kind}"
    assert f"The plot is in {plot}." in report("--web", rated, "--plot", plot)
    content = plot.read_bytes()
    assert content.startswith(b"\x89PNG") if kind == "png" else b"Pages by depth" in content


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--topic", "chess"), "has no topic 'chess'"),
        (("--sample", "none"), "no sample 'none'"),
        (("--where", "depth:99"), "or none that match --where"),
        (("--where", "haydn"), "cannot search for the word 'haydn'"),
        (("--plot", "x.jpg"), "must end with"),
        (("--relevant", "7"), "0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use_gets_one_sentence(
    report: Report, crawled: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in report(*arguments, "--web", crawled, code=2)
