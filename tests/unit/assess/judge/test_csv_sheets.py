from pathlib import Path

import pytest
from tests.unit.assess.pages import page

from gossamer.assess.judge.csv_sheets import read_sheet, write_sheet
from gossamer.errors import BadInput

PAGE_OF = {"http://a.example/1": 1, "http://a.example/2": 2, "http://a.example/3": 3}


def sheet(folder: Path, text: str) -> Path:
    path = folder / "sheet.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_sheet_comes_back_as_it_went(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    pages = [page(2, title="=cmd|'x'"), page(1, title='A "quoted", title'), page(3)]
    assert write_sheet(path, pages, {1: "relevant", 2: "not"}) == 3
    assert path.read_text("utf-8").splitlines()[1] == "http://a.example/2,'=cmd|'x',not"
    assert read_sheet(path, PAGE_OF) == [(2, "not"), (1, "relevant")]


def test_verdicts_as_people_and_spreadsheets_write_them(tmp_path: Path) -> None:
    path = sheet(
        tmp_path, "\ufeffverdict,url\nYes, http://a.example/1\n0,http://a.example/2\n?,http://a.example/3\n"
    )
    assert read_sheet(path, PAGE_OF) == [(1, "relevant"), (2, "not"), (3, "unsure")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("url,verdict\nhttp://a.example/1,maybe\n", "line 2: 'maybe' is no verdict"),
        ("url,verdict\n\nhttp://a.example/9,not\n", "line 3: 'http://a.example/9' is not in this sample"),
        ("url,title\nhttp://a.example/1,x\n", "has no column 'verdict'"),
        ("", "has no column"),
        ("url,verdict\nhttp://a.example/1\n", ""),
    ],
)
def test_mistakes_are_told_by_their_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = sheet(tmp_path, text)
    if not sentence:
        assert read_sheet(path, PAGE_OF) == []
        return
    with pytest.raises(BadInput, match=sentence):
        read_sheet(path, PAGE_OF)


def test_what_is_no_sheet(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(b"url,verdict\n\xff\xfe,\xff\n")
    with pytest.raises(BadInput, match="no CSV in UTF-8"):
        read_sheet(path, PAGE_OF)
    with pytest.raises(BadInput, match="cannot be read"):
        read_sheet(tmp_path, PAGE_OF)
    with pytest.raises(BadInput, match="cannot be written"):
        write_sheet(tmp_path / "none" / "sheet.csv", [], {})
