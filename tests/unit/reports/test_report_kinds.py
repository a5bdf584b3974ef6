"""Every report can be made from a crawled web, is kept with its state, and says what is missing in an empty one."""

import csv
import io
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.ui.library import crawl_library

from gossamer.reports.analysis import ListedPage, PageCell, PageListCell
from gossamer.reports.make_report import make_report
from gossamer.reports.report_file import KeptTable, make_csv_rows, make_json, read_report
from gossamer.reports.report_kinds import KINDS
from gossamer.web import Web

pytestmark = pytest.mark.slow
_TITLES = {
    "graph": "Bow-tie",
    "topics": "Pages, relevance and harvest",
    "freshness": "Changes and ages",
    "languages": "Words",
    "study": "Density (table 3.11)",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports") / "music.web"
    crawl_library(folder)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_made_and_kept(folder: Path, kind: str) -> None:
    parts: list[float] = []
    made = make_report(kind, folder, parts.append, 1e9)
    assert read_report(folder, kind) == made
    assert parts == sorted(parts)
    assert 0 <= parts[0] <= parts[-1] <= 1
    assert made.key_figure
    assert made.state.pages > 10
    section = next(section for section in made.sections if section.title == _TITLES[kind])
    assert section.tables
    plots = [section.plot for section in made.sections if section.plot is not None]
    assert plots
    assert all(b"<svg" in plot.svg and plot.png.startswith(b"\x89PNG") for plot in plots)
    facts = msgspec.json.decode(make_json(made))
    assert list(facts["sections"]) == [section.title for section in made.sections]


def test_a_damaged_report_counts_as_missing(folder: Path, tmp_path: Path) -> None:
    make_report("languages", folder, lambda _: None, 1e9)
    own = shutil.copytree(folder, tmp_path / "own.web")
    (own / "reports" / "languages.msgpack").write_bytes(b"\x00damaged")
    assert read_report(own, "languages") is None
    assert read_report(own, "graph/../../x") is None


def test_an_empty_web_says_what_to_do(tmp_path: Path) -> None:
    with Web(tmp_path / "empty.web") as web:
        for kind in KINDS.values():
            assert "gossamer crawl URL" in kind.find_obstacle(web)


def test_a_csv_names_pages_in_full() -> None:
    long = "http://a.example/" + "x" * 200
    table = KeptTable(
        "T", ("", "page", "members"), [(1, PageCell(long), PageListCell((ListedPage(long, "t"),), 2))]
    )
    out = io.StringIO()
    csv.writer(out).writerows(make_csv_rows(table))
    assert out.getvalue().count(long) == 2
    assert "and 2 more" in out.getvalue()
    assert len(str(PageCell(long))) == 80
