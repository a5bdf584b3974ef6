"""`gossamer assess` without a terminal; `test_judge_terminal.py` tests it with one."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.assess.judgements import get_sample, read_judgements, save_judgements, save_sample
from gossamer.assess.records import Judgement, Sample
from gossamer.assess.sample.draw_sample import SampleRequest, draw_sample
from gossamer.assess.sample.page_facts import read_crawled_pages
from gossamer.cli import main
from gossamer.crawl.from_archive.archived_pages import read_archived_pages
from gossamer.store.model_folder import keep_topic_model
from gossamer.text.topics.train_topic import train_topic
from gossamer.text.topics.training_example import Example
from gossamer.web import Web, open_to_read

Assess = Callable[..., str]


@pytest.fixture
def assess(capsys: pytest.CaptureFixture[str]) -> Assess:
    """Run the verb in this process and return its output, or its error message."""

    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["assess", *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        assert (err.count("\n"), out) == (1, "") if code else err == ""
        return err or out

    return run


def store_sample(folder: Path, **wish: Any) -> Sample:
    """Draw a sample of a web without starting the program."""
    with Web(folder, create=False) as web:
        sample = draw_sample(read_crawled_pages(web.store), SampleRequest(**{"name": "s", **wish}), 0.0)
        save_sample(web.store, sample)
        return sample


def sheet_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_is_written_judged_and_read_back(assess: Assess, web: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    wrote = assess("--by", "depth", "--sample", "3", "--out", sheet, "--web", web, "--judge", "a")
    rows = sheet_rows(sheet)
    assert list(rows[0]) == ["url", "title", "verdict"]  # nothing that reveals the stratum to a judge
    assert f"{len(rows)} pages of the sample 'sample'" in wrote
    verdicts = ["relevant", "no", "U", ""]
    for number, row in enumerate(rows):
        row["verdict"] = verdicts[number % 4]
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    took = assess("--judgements", sheet, "--web", web, "--judge", "a", "--json")
    told = json.loads(took)
    expected = {"relevant": -(-len(rows) // 4), "not": (len(rows) + 2) // 4, "unsure": (len(rows) + 1) // 4}
    assert told["judges"] == {"a": expected}
    assert sum(row["judged"] for row in told["precision"]["depth"]) == told["all"]["judged"]
    with open_to_read(web) as opened:
        assert len(read_judgements(opened.store, "sample", "a")) == sum(expected.values())


def test_results_are_printed(assess: Assess, web: Path) -> None:
    sample = store_sample(web, by=("depth",), asked=4)
    with Web(web, create=False) as opened:
        for judge in ("anna", "bert", "carl"):
            said = [
                Judgement(judge, item.page, "relevant" if number % 2 else "not", number + 1, 0.0)
                for number, item in enumerate(sample.items)
            ]
            save_judgements(opened.store, "s", said[:-1] if judge == "anna" else said)
    shown = assess("--results", "--name", "s", "--web", web)
    assert "Precision by depth" in shown
    assert "95 % interval" in shown
    assert "anna, bert, carl" in shown
    assert "Fleiss' kappa" in shown
    assert "1.00" in shown
    again = assess("--results", "--name", "s", "--by", "host,order", "--web", web)
    assert "Precision by host and order" in again
    of_one = json.loads(assess("--results", "--name", "s", "--judge", "anna", "--web", web, "--json"))
    assert (list(of_one["judges"]), of_one["agreement"]) == (["anna"], [])
    asked = assess("--results", "--name", "s", "--judge", "dora", "--web", web, code=2)
    assert "'dora' has judged no page of the sample 's'; anna, bert, carl did" in asked
    listed = assess("--list", "--web", web, "--json")
    assert json.loads(listed)["judged"] == {
        judge: len(sample.items) - (judge == "anna") for judge in ("anna", "bert", "carl")
    }


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--sample", "9999", "--out", "s.csv"), "is more than there are"),
        (("--by", "deph", "--out", "s.csv"), "did you mean 'depth'?"),
        (("--where", "haydn", "--out", "s.csv"), "title:haydn searches titles"),
        (("--where", "depth:77", "--out", "s.csv"), "no page of this web fits --where 'depth:77'"),
        (("--by", "relevance", "--out", "s.csv"), "no page has a relevance"),
        (("--active", "--out", "s.csv"), "no page has a relevance"),
        (("--topic", "chess", "--out", "s.csv"), "has no topic 'chess'"),
        (("--judge", "a b", "--out", "s.csv"), "--judge 'a b'"),
        (("--name", "../x", "--out", "s.csv"), "--name '../x'"),
        (("--out", "s.txt"), "must end with .csv"),
        (("--out", "s.csv", "--judgements", "s.csv"), "give only one of them"),
        (("--judgements", "none.csv"), "there is no such file"),
        (("--results", "--name", "t"), "no sample 't'"),
        ((), "judging needs a terminal"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use_gets_one_sentence(
    assess: Assess, crawled: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in assess(*arguments, "--web", crawled, code=2)


@pytest.fixture
def taught(web: Path) -> Path:
    """A web that has learnt to tell the pages of its first host from the others."""
    with Web(web, create=False) as opened:
        read = list(read_archived_pages(opened.store, web / "archive"))
    examples = [
        (page.host == read[0][0].host, Example(document.text, document.title)) for page, document in read
    ]
    model = train_topic(
        [one for is_it, one in examples if is_it], [one for is_it, one in examples if not is_it]
    )
    keep_topic_model(model, web, "first-host")
    return web


def test_a_topic_tells_relevance_and_its_doubts_come_first(assess: Assess, taught: Path) -> None:
    out = ("--web", taught, "--out", taught / "sheet.csv")
    assess("--topic", "first-host", "--by", "relevance", "--sample", "2", "--name", "bands", *out)
    assess("--topic", "first-host", "--active", "--sample", "5", "--name", "doubts", *out)
    with open_to_read(taught) as opened:
        bands, doubts = (get_sample(opened.store, name) for name in ("bands", "doubts"))
        hosts = {page.id: page.host for page in opened.store.pages()}
    assert {stratum.values[0] for stratum in bands.strata} >= {"[0, 0.1)", "[0.9, 1]"}
    of_high = {hosts[item.page] for item in bands.items if (item.relevance or 0) >= 0.9}
    assert of_high.isdisjoint({hosts[item.page] for item in bands.items if (item.relevance or 0) < 0.1})
    far = [abs((item.relevance or 0) - 0.5) for item in doubts.items]
    assert far == sorted(far)
    assert doubts.chosen == "uncertain"
    asked = assess("--topic", "first-hots", "--web", taught, "--out", taught / "x.csv", "--name", "n", code=2)
    assert "did you mean 'first-host'?" in asked


def test_a_sample_is_not_mistaken_for_another(assess: Assess, web: Path) -> None:
    store_sample(web, by=("depth",), asked=4)
    told = ("--name", "s", "--out", web / "x.csv", "--web", web)
    assert "was drawn with --by depth; leave that option out" in assess(*told, "--by", "host", code=2)
    assert "x.csv" in assess(*told, "--by", "depth", "--sample", "4")


def test_a_sample_is_deleted(assess: Assess, web: Path) -> None:
    sample = store_sample(web, asked=2)
    with Web(web, create=False) as opened:
        save_judgements(opened.store, "s", [Judgement("anna", sample.items[0].page, "not", 1, 0.0)])
    told = json.loads(assess("--name", "s", "--forget", "--web", web, "--json"))
    assert told == {"sample": "s", "judgements": 1}
    assert "no samples yet" in assess("--list", "--web", web)
    assert "no sample 's'" in assess("--name", "s", "--forget", "--web", web, code=2)
