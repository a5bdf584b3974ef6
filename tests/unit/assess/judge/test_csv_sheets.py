from pathlib import Path

import pytest
from tests.unit.assess.pages import make_page

from gossamer.assess.judge.csv_sheets import read_sheet, write_sheet
from gossamer.errors import BadInput

PAGE_OF = {"http://a.example/1": 1, "http://a.example/2": 2, "http://a.example/3": 3}


def write_text(folder: Path, text: str) -> Path:
    path = folder / "sheet.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_written_sheet_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    pages = [make_page(2, title="=cmd|'x'"), make_page(1, title='A "quoted", title'), make_page(3)]
    assert write_sheet(path, pages, {1: "relevant", 2: "not"}) == 3
    assert path.read_text("utf-8").splitlines()[1] == "http://a.example/2,'=cmd|'x',not"
    assert read_sheet(path, PAGE_OF) == [(2, "not"), (1, "relevant")]


def test_verdicts_may_be_written_in_several_ways(tmp_path: Path) -> None:
    path = write_text(
        tmp_path, "\ufeffverdict,url\nYes, http://a.example/1\n0,http://a.example/2\n?,http://a.example/3\n"
    )
    assert read_sheet(path, PAGE_OF) == [(1, "relevant"), (2, "not"), (3, "unsure")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("url,verdict\nhttp://a.example/1,maybe\n", "line 2: 'maybe' is not a verdict"),
        ("url,verdict\n\nhttp://a.example/9,not\n", "line 3: 'http://a.example/9' is not in this sample"),
        ("url,title\nhttp://a.example/1,x\n", "has no column 'verdict'"),
        ("", "has no column"),
        ("url,verdict\nhttp://a.example/1\n", ""),
    ],
)
def test_mistakes_are_reported_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = write_text(tmp_path, text)
    if not message:
        assert read_sheet(path, PAGE_OF) == []
        return
    with pytest.raises(BadInput, match=message):
        read_sheet(path, PAGE_OF)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(b"url,verdict\n\xff\xfe,\xff\n")
    with pytest.raises(BadInput, match="not CSV in UTF-8"):
        read_sheet(path, PAGE_OF)
    with pytest.raises(BadInput, match="cannot be read"):
        read_sheet(tmp_path, PAGE_OF)
    with pytest.raises(BadInput, match="cannot be written"):
        write_sheet(tmp_path / "none" / "sheet.csv", [], {})
