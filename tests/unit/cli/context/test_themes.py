"""`gossamer themes`: a table, one theme, JSON, and one sentence for what is wrong."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.context.themes.subjects import fill_index, make_pages, make_store

from gossamer.cli.main import run_verb


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("themes")
    pages = make_pages(12)
    make_store(folder, pages, {}).close()
    fill_index(pages, folder / "index")
    return folder


def test_themes_of_a_web(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["themes", "--web", str(folder), "--number", "4"]) == 0
    table = capsys.readouterr().out
    assert "48 pages" in table
    assert run_verb(["themes", "--web", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["size"] for one in found["themes"]] == [12] * 4
    name = found["themes"][0]["name"]
    assert name in table
    assert run_verb(["themes", name, "--web", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "12 pages" in shown
    assert found["themes"][0]["typical"][0]["url"] in shown
    assert run_verb(["themes", "2", "--web", str(folder), "--refresh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["number"] == 2


def test_all_pages_with_their_themes(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, web = tmp_path / "pages.csv", ["--web", str(folder)]
    assert run_verb(["themes", "--number", "4", "--json", "--csv", str(out), *web]) == 0
    themes = {str(one["number"]): one for one in json.loads(capsys.readouterr().out)["themes"]}
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48
    assert Counter(row["theme"] for row in rows) == {number: one["size"] for number, one in themes.items()}
    typical = {page["url"]: number for number, one in themes.items() for page in one["typical"]}
    found = {row["url"]: row for row in rows}
    assert all(found[url]["theme"] == number for url, number in typical.items())
    assert all(row["name"] == themes[row["theme"]]["name"] for row in rows)
    assert run_verb(["themes", "2", "--csv", str(out), *web]) == 0
    assert len(out.read_text("utf-8").splitlines()) == 1 + themes["2"]["size"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--csv", "pages.txt"], "the name must end with .csv"),
        (["nothing like it"], "there is no theme 'nothing like it'"),
        (["--number", "1"], "from 2 to 200 themes, not 1"),
    ],
)
def test_wrong_use(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert run_verb(["themes", *arguments, "--web", str(folder)]) == 2
    assert sentence in capsys.readouterr().err


def test_links_of_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = make_pages(3)
    source = next(page for page in pages if "symphony" in page.main)
    make_store(tmp_path, pages, {source.url: [("https://far.example.org/x", "Far \x1b[31maway")]}).close()
    fill_index(pages, tmp_path / "index")
    assert run_verb(["search", "symphony", "--links", "--web", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "example.org  site, 1 link to 1 page" in shown
    assert "\x1b" not in shown
    assert run_verb(["search", "symphony", "--links", "--json", "--web", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["groups"][0]["best"][0]["url"] == "https://far.example.org/x"
    several = ["--web", str(tmp_path), "--web", str(tmp_path / "index")]
    assert run_verb(["search", "symphony", "--links", *several]) == 2
    capsys.readouterr()


def test_a_web_without_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_store(tmp_path, make_pages(1), {}).close()
    assert run_verb(["themes", "--web", str(tmp_path)]) == 2
    assert "has no index yet; `gossamer index" in capsys.readouterr().err
    assert run_verb(["themes", "--web", str(tmp_path / "none")]) == 2
    assert "there is no web" in capsys.readouterr().err


def test_a_damaged_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "themes" / "themes.bin"
    assert run_verb(["themes", "--web", str(folder), "--anew"]) == 0
    path.write_bytes(path.read_bytes()[:-7])
    capsys.readouterr()
    assert run_verb(["themes", "--web", str(folder)]) == 1
    assert "`gossamer themes --anew` finds them again" in capsys.readouterr().err
    assert run_verb(["themes", "--web", str(folder), "--anew"]) == 0
