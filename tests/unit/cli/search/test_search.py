import json
from pathlib import Path

import pytest
from tests.unit.cli.programs import Program

from gossamer.cli import main
from gossamer.cli.search.search import show_answers
from gossamer.search.answers.answer_query import search as answer_query
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index

HOSTILE = "\x1b[31mred\x1b]0;owned\x07 [bold]loud[/bold] \u202eback"


@pytest.mark.slow
def test_a_web_is_indexed_and_searched(program: Program, web: Path) -> None:
    built = program("index", "--web", web, "--json")
    added = json.loads(built.stdout)["added"]
    assert added > 20
    asked = program("search", "type:html", "--web", web, "--json", "--size", "3")
    found = json.loads(asked.stdout)
    assert found["total"] == added
    assert [answer["rank"] for answer in found["answers"]] == [1, 2, 3]
    shown = program("search", found["answers"][0]["title"], "--web", web, "--explain", "--size", "2").stdout
    assert found["answers"][0]["url"] in shown
    assert "in words" in shown
    assert "--page 2 shows more." in shown


def test_control_characters_are_not_printed(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    writer = Index(web / "index").writer()
    writer.add(
        Entry(id=1, url="http://a.example/\x1b[2J", title=HOSTILE, main=f"word {HOSTILE}", kind="html")
    )
    writer.commit()
    del writer
    assert main.run_verb(["search", "word", "--web", str(web)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]loud[/bold]" in shown


def test_groups_are_printed_as_a_table_without_control_characters(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    writer = Index(web / "index").writer()
    subjects = {"steam boilers in coal mines": 6, "string quartets for violins": 5, HOSTILE: 1}
    titles = [f"word {subject}" for subject, times in subjects.items() for _ in range(times)]
    for number, title in enumerate(titles):
        words = " ".join(f"{title} {number * 50 + at}" for at in range(50))  # no near copies
        writer.add(
            Entry(id=number + 1, url=f"http://a.example/{number}", title=title, main=words, kind="html")
        )
    writer.commit()
    del writer
    assert main.run_verb(["search", "word", "--clusters", "--web", str(web)]) == 0
    shown = capsys.readouterr().out
    assert "12 answers in 2 groups" in shown
    assert "(other)" in shown
    assert "\x1b" not in shown
    assert main.run_verb(["search", "word", "--clusters", "--json", "--web", str(web)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(group["count"] for group in found["groups"]) == [5, 6]
    assert main.run_verb(["search", "zyzzyva", "--clusters", "--web", str(web)]) == 0
    assert "0 pages" in capsys.readouterr().out


def test_without_an_index_it_says_what_to_do(
    web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run_verb(["search", "x", "--web", str(web)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "gossamer index --web" in error
    assert main.run_verb(["index", "--web", str(tmp_path / "none")]) == 2
    assert "there is no web at" in capsys.readouterr().err


def test_addresses_are_printed_with_their_letters(capsys: pytest.CaptureFixture[str]) -> None:
    index = Index()
    writer = index.writer()
    address = "https://a.example/Gr%C3%B6%C3%9Fe/%E2%80%AEx"
    writer.add(Entry(id=1, url=address, title="Size", main="size", kind="html"))
    writer.commit()
    found = answer_query(index, "size")
    show_answers(found)
    assert "https://a.example/Größe/%E2%80%AEx" in capsys.readouterr().out
    assert found.answers[0].url == address


def test_several_webs_are_searched_and_a_missing_one_is_named(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    writer = Index(web / "index").writer()
    writer.add(Entry(id=1, url="http://a.example/", title=HOSTILE, main="a singular word", kind="html"))
    writer.commit()
    del writer
    asked = ["search", "singular", "--web", str(web), "--web", "none.web", "--web", "http://127.0.0.1:1/"]
    assert main.run_verb(asked) == 0
    shown = capsys.readouterr().out
    assert "none.web was left out: there is no web at none.web" in shown
    assert "http://127.0.0.1:1/ was left out: it cannot be reached (connect)." in shown
    assert f"· {web.name}" in shown
    assert "\x1b" not in shown
    assert main.run_verb([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answers"][0]["origin"] == str(web)
    assert [bool(one["failure"]) for one in found["origins"]] == [False, True, True]


def test_no_web_that_answers_is_a_failure_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["search", "word", "--web", "none.web", "--web", "http://127.0.0.1:1/"]) == 1
    said = capsys.readouterr().err
    assert "none of the webs can be searched" in said
    assert "Traceback" not in said


def test_the_address_of_a_server_must_have_a_host(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["search", "word", "--web", "https://:secret@/"]) == 2
    said = capsys.readouterr().err
    assert "is not the address of a server" in said
    assert "secret" not in said


def test_the_web_of_the_environment_may_have_spaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOSSAMER_WEB", str(tmp_path / "my own web"))
    assert main.run_verb(["search", "word"]) == 2
    assert "my own web" in capsys.readouterr().err
