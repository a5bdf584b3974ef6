"""The verbs words and concordance, and exports for corpus tools, on a crawled web."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main
from gossamer.web import Web


def run_verb(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main.run_verb([str(argument) for argument in arguments]) == code
    told = capsys.readouterr()
    return told.err if code else told.out


def read(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    return json.loads(run_verb(capsys, *arguments, "--json"))


def test_words_of_a_web_and_of_a_site(web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = read(capsys, "words", "--number", "5000", "--least", "1", "--web", web)
    assert every["words"] == sum(row["count"] for row in every["rows"]) > 1_000
    with Web(web) as opened:
        hosts = {page.host.partition(":")[0] for page in opened.store.pages()}
        opened.index()
    out = tmp_path / "site.csv"
    some = read(capsys, "words", "--site", min(hosts), "--csv", out, "--web", web)
    assert some["words"] + some["words_elsewhere"] == every["words"]
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["word"] for row in rows] == [row["word"] for row in (*some["rows"], *some["less"])]
    word = every["rows"][20]["word"]
    found = read(capsys, "words", f"exact:{word}", "--web", web)
    assert found["words"] + found["words_elsewhere"] == every["words"]
    assert found["pages"] < every["pages"]
    with Web(web) as opened:
        (tmp_path / "list").write_text(
            "\n".join(page.url for page in opened.store.pages())[:2_000].rpartition("\n")[0]
        )
    assert read(capsys, "words", "--pages", tmp_path / "list", "--web", web)["words"] < every["words"]
    assert "Used more" in run_verb(capsys, "words", "--site", min(hosts), "--web", web)
    assert "dispersion" in run_verb(capsys, "words", "--lemmas", "--web", web)


def test_a_web_against_another(web: Path, crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_verb(capsys, "words", "--web", web)
    found = read(capsys, "words", "--against", web, "--web", web)
    assert found["words"] == found["words_elsewhere"]
    assert found["rows"] == [], "a web does not differ from itself"
    assert "have not been read yet" in run_verb(capsys, "words", "--against", crawled, "--web", web, code=2)


def test_a_concordance_has_every_place(web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = read(capsys, "words", "--language", "en", "--web", web)["rows"][3]
    out = tmp_path / "lines.csv"
    found = read(
        capsys,
        "concordance",
        row["word"],
        "--language",
        "en",
        "--csv",
        out,
        "--number",
        "100000",
        "--web",
        web,
    )
    assert found["matches"] == len(found["lines"]) == row["count"]
    assert found["pages"] == row["pages"]
    with out.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == row["count"]
    shown = run_verb(capsys, "concordance", row["word"], "--number", "5", "--web", web).splitlines()
    columns = [{one.start() for one in re.finditer(row["word"], line.lower())} for line in shown[1:]]
    assert len(columns) == 5
    assert set.intersection(*columns), "the word is in one column"
    near = read(capsys, "concordance", row["word"], "--collocates", "--web", web)
    assert near["collocates"][0]["log_dice"] <= 14


def test_exports_for_corpus_tools(web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = read(capsys, "words", "--least", "1", "--number", "1", "--web", web)
    told = read(capsys, "export", "vertical", tmp_path / "all.vrt", "--web", web)
    assert told["counts"]["sentences"] == words["sentences"]
    assert told["counts"]["pages"] == words["pages"]
    texts = read(capsys, "export", "antconc", tmp_path / "texts", "--language", "en", "--web", web)
    files = list((tmp_path / "texts").glob("*/*.txt"))
    assert 0 < len(files) == texts["counts"]["pages"] <= words["pages"]
    assert "exists already" in run_verb(
        capsys, "export", "vertical", tmp_path / "all.vrt", "--web", web, code=2
    )


def test_the_corpus_has_the_options_of_stein(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "long.txt"
    told = read(
        capsys, "export", "corpus", out, "--shortest-word", "4", "--longest-word", "9", "--min-words", "3",
        "--frequencies", "--web", crawled,
    )  # fmt: skip
    words = [line.split("\t")[1] for line in Path(told["frequencies"]).read_text("utf-8").splitlines()[1:]]
    assert {len(word) for word in words} == {4, 5, 6, 7, 8, 9}
    every = read(capsys, "export", "corpus", tmp_path / "all.txt", "--web", crawled)["counts"]["sentences"]
    pure = read(capsys, "export", "corpus", tmp_path / "pure.txt", "--share", "1", "--web", crawled)["counts"]
    assert pure["sentences"] == every, "each of its pages is in one language"
    parts = read(capsys, "export", "corpus", tmp_path / "domains", "--by-domain", "--web", crawled)
    assert parts["counts"]["sentences"] == every
    written = (tmp_path / "domains" / "none.txt").read_text("utf-8")  # its hosts are addresses
    assert len(written.splitlines()) == every


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["words", "--site", "nowhere.example"], "no page with running text is in this selection"),
        (["words", "--language", "zz"], "similar codes"),
        (["words", "--language", "ja", "--lemmas"], "no dictionary of lemmas for ja"),
        (["words", "--since", "soon"], "--since needs a date"),
        (["words", "--best", "3"], "give one"),
        (["words", "ship"], "has no index yet"),
        (["words", "--pages", "missing.txt"], "missing.txt"),
        (["words", "--csv", "x.doc"], "must end with .csv"),
        (["words", "--against", "missing.web"], "there is no web at missing.web"),
        (["concordance", "(ship", "--regex"], "is not a regular expression"),
        (["concordance", "ship", "--regex", "--lemmas"], "choose one"),
        (["concordance", "*"], "at least one word"),
        (["export", "vertical"], "gossamer export vertical OUT"),
        (["export", "warc", "x", "--by-domain"], "for a corpus"),
        (["export", "corpus", "x", "--by-domain", "--frequencies"], "leave out --frequencies"),
        (["export", "corpus", "x.txt", "--shortest-word", "5", "--longest-word", "3"], "no word would count"),
    ],
)
def test_wrong_use_is_said_in_one_sentence(
    web: Path, arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run_verb(capsys, *arguments, "--web", web, code=2)
    assert why in told
    assert told.count("\n") == 1


def test_a_list_of_pages_that_are_not_there(
    web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_text("http://nowhere.example/\n")
    assert "is not in this web" in run_verb(
        capsys, "words", "--pages", tmp_path / "list", "--web", web, code=2
    )
