"""`gossamer verify` finds every kind of damage, repairs what can be rebuilt, and never touches the archive."""

import gzip
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main
from gossamer.search.index import Index
from gossamer.store.archive.warc_records import WarcReader, pack_record
from gossamer.store.lock import Lock
from gossamer.store.verify.findings import PROBLEMS
from gossamer.web import Web

Damage = Callable[[Path], object]


@pytest.fixture(scope="module")
def indexed(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crawled web with an index; tests must not change it."""
    pytest.importorskip("tantivy")
    folder = Path(shutil.copytree(crawled, tmp_path_factory.mktemp("indexed") / "web"))
    with Web(folder) as web:
        web.index()
    return folder


@pytest.fixture
def web(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "web"))


def verify(
    web: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict[str, dict[str, Any]]]:
    code = main.run_verb(["verify", *options, "--json", "--web", str(web)])
    *found, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert total["sound"] == (code == 0)
    assert total["findings"] == len(found)
    return code, {one["problem"]: one for one in found}


def read_archive(web: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (web / "archive").glob("*.warc.gz")}


def get_warc(web: Path) -> Path:
    return min((web / "archive").glob("*.warc.gz"))


def get_cdxj(web: Path) -> Path:
    return min((web / "archive").glob("*.cdxj"))


def change_state(*statements: str) -> Damage:
    def change(web: Path) -> None:
        db = sqlite3.connect(web / "state.sqlite")
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()

    return change


def flip(find: Callable[[Path], Path], share: float = 0.5) -> Damage:
    def change(web: Path) -> None:
        path = find(web)
        data = bytearray(path.read_bytes())
        data[int(len(data) * share)] ^= 0x11
        path.write_bytes(bytes(data))

    return change


def halve(find: Callable[[Path], Path]) -> Damage:
    return lambda web: os.truncate(find(web), find(web).stat().st_size // 2)


def find_index_file(suffix: str) -> Callable[[Path], Path]:
    return lambda web: min((web / "index").glob(f"*.{suffix}"))


def append(find: Callable[[Path], Path], more: bytes) -> Damage:
    return lambda web: find(web).write_bytes(find(web).read_bytes() + more)


def write_models(web: Path) -> None:
    (web / "models").mkdir()
    (web / "models" / "language.bin").write_bytes(b"no model")
    (web / "models" / "topic-boats.bin").write_bytes(b"no topic")


def test_a_crawled_web_is_sound(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = read_archive(web)
    assert main.run_verb(["verify", "--web", str(web)]) == 0
    shown = capsys.readouterr().out
    assert "is sound" in shown
    for options in ([], ["--repair"]):
        assert verify(web, capsys, *options) == (0, {})
    assert read_archive(web) == before


REPAIRED: dict[str, tuple[Damage, set[str]]] = {
    "a damaged line of a CDXJ index": (
        lambda web: get_cdxj(web).write_text(
            get_cdxj(web).read_text().replace('"offset":"', '"offset":"1', 1)
        ),
        {"cdxj wrong"},
    ),
    "a CDXJ index that is not text": (append(get_cdxj, b"\xff\n"), {"cdxj wrong"}),
    "half a CDXJ index": (halve(get_cdxj), {"cdxj wrong"}),
    "no CDXJ index": (lambda web: get_cdxj(web).unlink(), {"cdxj missing"}),
    "wrong positions": (
        change_state("update page set warc_offset = warc_offset + 1 where number % 5 = 0"),
        {"pointer"},
    ),
    "the position of another page": (
        change_state("update page set warc_offset = (select warc_offset from page where number = 1)"),
        {"pointer"},
    ),
    "a position outside the archive": (
        change_state("update page set warc = '../../etc/passwd', warc_offset = 0 where number = 3"),
        {"pointer"},
    ),
    "positions of visits": (
        change_state("update visit set warc_offset = 5 where number = 9"),
        {"visit pointer"},
    ),
    "a total": (change_state("update total set value = 5 where name = 'links'"), {"totals"}),
    "the late index": (
        change_state(
            "insert into run (name, number, upto) values ('visit', 0, 5)",
            "insert into sorted values ('visit', 0, 1, 2, x'00', x'0000')",
        ),
        {"late index", "unreadable row"},
    ),
    "a length beyond the file": (change_state("update archive set bytes = bytes + 1000"), {"wrong end"}),
    "a length within a record": (
        change_state("update archive set bytes = bytes - 77"),
        {"wrong end", "uncommitted"},
    ),
    "a file that the state does not list": (
        change_state("delete from archive"),
        {"unlisted file", "uncommitted"},
    ),
    "an index file": (flip(find_index_file("idx")), {"index damaged"}),
    "a cut index file": (halve(find_index_file("term")), {"index damaged"}),
    "no description of the index": (lambda web: (web / "index" / "meta.json").unlink(), {"index damaged"}),
    "a page that is gone": (change_state("delete from page where number = 12"), {"index superfluous"}),
}


@pytest.mark.parametrize("damage", REPAIRED)
def test_what_can_be_rebuilt_is_found_and_repaired(
    damage: str, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    harm, expected = REPAIRED[damage]
    harm(web)
    before = read_archive(web)
    code, found = verify(web, capsys)
    assert (code, set(found)) == (1, expected)
    _, repaired = verify(web, capsys, "--repair")
    assert set(repaired) == expected
    assert verify(web, capsys) == (0, {})
    assert read_archive(web) == before


LOST: dict[str, tuple[Damage, set[str], set[str]]] = {
    "half a WARC file": (
        halve(get_warc),
        {"file short", "page missing", "visit pointer", "cdxj wrong"},
        {"file short", "marked"},
    ),
    "no WARC file": (
        lambda web: get_warc(web).unlink(),
        {"file missing", "page missing", "visit pointer"},
        {"file missing", "marked"},
    ),
    "links": (change_state("update link set targets = x'0011' where number % 7 = 0"), {"links"}, {"links"}),
    "marks": (
        change_state("update page set marks = x'c1' where number % 5 = 0"),
        {"unreadable row"},
        {"unreadable row"},
    ),
    "a text": (
        change_state("update page set title = cast(x'fffe00' as text) where number = 3"),
        {"unreadable row"},
        {"unreadable row"},
    ),
    "an id": (
        change_state("update visit set page = 17 where number = 9"),
        {"unknown visit"},
        {"unknown visit"},
    ),
    "an unusable state": (
        lambda web: (web / "state.sqlite").write_bytes(b"x" * 5000),
        {"unusable"},
        {"unusable"},
    ),
    "no state": (lambda web: (web / "state.sqlite").unlink(), {"unusable"}, {"unusable"}),
    "models": (write_models, {"model"}, {"model"}),
}


@pytest.mark.parametrize("damage", LOST)
def test_what_is_lost_is_found_and_said(damage: str, web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harm, expected, left = LOST[damage]
    harm(web)
    before = read_archive(web)
    code, found = verify(web, capsys)
    assert code == 1
    assert expected <= set(found)
    assert any(found[name]["remedy"] in ("lost", "import") for name in expected)
    assert verify(web, capsys, "--repair")[0] == 1
    code, found = verify(web, capsys)
    assert code == 1
    assert left <= set(found)
    assert read_archive(web) == before


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_of_a_warc_file_is_found(
    share: float, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(get_warc, share)(web)
    assert verify(web, capsys)[0] == 1


def test_a_payload_that_does_not_match_its_digest_is_found(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = get_warc(web)
    record = next(each for each in WarcReader(path) if each.type == "response" and b"<p>" in each.block)
    data = path.read_bytes()
    plain = gzip.decompress(data[record.offset : record.offset + record.length])
    changed = pack_record(plain.replace(b"<p>", b"<q>", 1))
    rest = data[record.offset + record.length :]
    path.write_bytes(data[: record.offset] + changed + rest)
    shift = len(changed) - record.length
    moved = f"set warc_offset = warc_offset + {shift} where warc_offset > {record.offset}"
    change_state(
        f"update archive set bytes = bytes + {shift}",  # noqa: S608 - numbers
        *(f"update {table} {moved}" for table in ("page", "visit")),
    )(web)
    code, found = verify(web, capsys)
    assert code == 1
    assert found["digest"]["count"] == 1
    assert record.headers["warc-target-uri"] in found["digest"]["examples"][0]
    assert {"page damaged", "revisit"} & set(found)


def test_traces_of_an_interrupted_crawl_are_no_damage(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    append(get_warc, b"\x1f\x8b\x08\x00torn")(web)
    get_cdxj(web).unlink()
    change_state("update task set state = 'running'")(web)
    code, found = verify(web, capsys)
    assert (code, set(found)) == (0, {"uncommitted", "cdxj late"})


def test_pages_that_wait_for_the_index_are_no_damage(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(web / "index")
    Index(web / "index")
    code, found = verify(web, capsys)
    assert (code, set(found)) == (0, {"index behind"})


def test_pages_of_a_task_that_keeps_no_bodies_are_no_damage(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_state("update page set warc = '', warc_offset = 0 where number = 5")(web)
    assert verify(web, capsys) == (0, {})


def test_a_repair_needs_the_lock(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Lock(web):
        assert main.run_verb(["verify", "--repair", "--web", str(web)]) == 2
        assert "is in use by process" in capsys.readouterr().err
        assert verify(web, capsys)[0] == 0


def test_a_table_names_what_was_found(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    get_cdxj(web).unlink()
    assert main.run_verb(["verify", "--web", str(web)]) == 1
    told = capsys.readouterr()
    assert PROBLEMS["cdxj missing"].sentence.split()[0] in told.out
    assert "is damaged" in told.err


def test_a_folder_without_a_web_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["verify", "--web", str(tmp_path / "none")]) == 2
    assert "there is no web" in capsys.readouterr().err
