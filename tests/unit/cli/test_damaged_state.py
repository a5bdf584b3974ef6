"""A damaged state ends no verb in a traceback: one sentence, and nothing is harmed."""

import sqlite3
from pathlib import Path

import pytest

from gossamer.cli import main
from gossamer.web import Web

WRONG = ["x'c1ff'", "x''", "cast(x'ff80' as text)", "-1"]
COLUMNS = {
    "task": ["spec", "counts", "name", "created_s"],
    "page": ["id", "url", "host", "depth", "fetched_s", "title", "digest", "marks", "warc", "warc_offset"],
    "link": ["source", "links", "targets", "kinds", "texts"],
    "visit": ["page", "when_s", "result", "warc"],
    "known": ["id", "url"],
    "seen": ["keys"],
    "host": ["robots", "ready_s"],
    "archive": ["bytes"],
    "total": ["value"],
}


def list_verbs(web: Path, out: Path) -> list[list[str]]:
    with Web(web, create=False) as opened:
        url = next(page.url for page in opened.store.pages())
    return [
        *(["tasks"], ["tasks", "--json"], ["status"], ["resume"], ["explain", url], ["recrawl", "--plan"]),
        ["export", "csv", str(out / "csv")],
        ["export", "wacz", str(out / "web.wacz")],
        ["export", "corpus", str(out / "corpus.txt")],
        *(["graph", "pagerank"], ["index"], ["search", "page"], ["verify"], ["verify", "--repair"]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("table", COLUMNS)
def test_values_that_cannot_be_read_are_reported_in_one_sentence(
    table: str, web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verbs = list_verbs(web, tmp_path)
    sound = (web / "state.sqlite").read_bytes()
    for number, column in enumerate(COLUMNS[table]):
        (web / "state.sqlite").write_bytes(sound)
        db = sqlite3.connect(web / "state.sqlite")
        wrong = (
            WRONG[number % len(WRONG)] if column not in ("spec", "counts", "marks", "texts") else "x'c1ff'"
        )
        some = "" if table in ("task", "host", "archive", "total") else "where number % 5 = 0"
        db.execute(f"update or ignore {table} set {column} = {wrong} {some}")  # noqa: S608 - written here
        db.commit()
        db.close()
        for verb in verbs:
            code = main.run_verb([*verb, "--web", str(web)])
            said = capsys.readouterr().err
            assert code in (0, 1, 2), (column, verb)
            assert code == 0 or said.startswith("gossamer: "), (column, verb)
            assert said.count("\n") <= 1, (column, verb, said)
        for path in tmp_path.iterdir():
            if path.is_file():
                path.unlink()


def test_a_message_of_sqlite_that_quotes_damaged_text_is_one_sentence(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = sqlite3.connect(web / "state.sqlite")
    db.execute("pragma writable_schema = on")
    db.execute("update sqlite_master set sql = cast(x'fffe62' as text) where name = 'task'")
    db.commit()
    db.close()
    assert main.run_verb(["tasks", "--web", str(web)]) == 2
    said = capsys.readouterr().err
    assert "state.sqlite is damaged" in said
    assert said.isprintable() or said.rstrip("\n").isprintable()
