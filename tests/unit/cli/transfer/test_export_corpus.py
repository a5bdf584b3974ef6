"""The sentences of a web are exported to a file or to standard output."""

import json
from pathlib import Path

import pytest

from gossamer.cli import main
from gossamer.web import Web


def run_verb(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main.run_verb([str(argument) for argument in arguments]) == code
    told = capsys.readouterr()
    return told.err if code else told.out


def test_a_corpus_of_one_language(crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "english.jsonl"
    told = json.loads(
        run_verb(
            capsys, "export", "corpus", out, "--language", "en", "--frequencies", "--web", crawled, "--json"
        )
    )
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert told["counts"]["sentences"] == len(rows) > 100
    assert {row["language"] for row in rows} == {"en"}
    assert all(len(row["text"].split()) >= 5 for row in rows)
    assert len({row["text"] for row in rows}) == len(rows)
    with Web(crawled, create=False) as web:
        order = {page.url: number for number, page in enumerate(web.store.pages())}
    places = [order[row["url"]] for row in rows]
    assert places == sorted(places), "in the order in which pages came"
    words = Path(told["frequencies"]).read_text("utf-8").splitlines()
    assert words[0] == "language\tword\ttimes\tshare"
    assert words[1].startswith("en\t")


def test_without_a_file_a_corpus_goes_to_standard_output(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run_verb(capsys, "export", "corpus", "--language", "en,de", "--min-words", "8", "--web", crawled)
    run_verb(capsys, "export", "corpus", tmp_path / "all.txt", "--min-words", "8", "--web", crawled)
    assert lines == (tmp_path / "all.txt").read_text("utf-8")
    text, url = lines.splitlines()[0].split("\t")
    assert len(text.split()) >= 8
    assert url.startswith("http://")
    rows = run_verb(capsys, "export", "corpus", "--include", "nowhere", "--json", "--web", crawled)
    assert rows == ""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["corpus", "x.txt", "--language", "dq"], "similar codes: "),
        (["corpus", "x.doc"], "ends in one of .txt, .jsonl, .parquet"),
        (["corpus", "--frequencies"], "name one, for example corpus.txt"),
        (["warc"], "gossamer export warc OUT"),
        (["csv", "x", "--language", "de"], "need a corpus"),
    ],
)
def test_wrong_use(
    arguments: list[str], why: str, crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path / part) if part.startswith("x") else part for part in arguments]
    assert why in run_verb(capsys, "export", *arguments, "--web", str(crawled), code=2)
    assert list(tmp_path.iterdir()) == []
