"""Logs: levels and categories, text and JSON, the journal, and nothing in them that is secret or steers a terminal."""

import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.crawl.events import LogLine, Notice, PageVisited, TaskEnded, TrapFound
from gossamer.crawl.log_events import is_verbose, log_events
from gossamer.errors import BadInput
from gossamer.logs import hide_secrets as secrets
from gossamer.logs.format_line import JsonFormatter
from gossamer.logs.hide_secrets import add_secrets, hide_secrets
from gossamer.logs.log_sinks import FileHandler, JournalHandler
from gossamer.logs.set_up_logs import LogOptions, set_up_logs, tear_down_logs

PAGE = PageVisited(
    1.0, "docs", "http://a.example/x", "fetched", 200, "", 12_000, 0.25, 1, "", host="a.example", request=7
)
EVIL = "a\x1b[31mred\x9b0m\u202etxt\x07\nFAKE LINE"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "crawl.log"


@pytest.fixture(autouse=True)
def forget_secrets() -> Iterator[None]:
    yield
    secrets._known.clear()
    secrets._pattern = None


def log(
    file: Path, *events: object, levels: tuple[str, ...] = (), form: str = "json", verbose: bool = False
) -> list[str]:
    """Send events through a log into a file; return its lines."""
    handler = set_up_logs(LogOptions(verbose=verbose, file=str(file), format=form, levels=levels))
    passed: list[object] = []
    try:
        watch = log_events(passed.append)
        for event in events:
            watch(event)
    finally:
        tear_down_logs(handler)
    assert passed == [event for event in events if not isinstance(event, LogLine)]
    return file.read_text("utf-8").splitlines()


def test_every_line_about_a_url_has_task_host_and_request(file: Path) -> None:
    step = LogLine(1.0, "fetch", logging.DEBUG, "waits", "docs", "a.example", 7, PAGE.url)
    lines = log(file, PAGE, step, verbose=True)
    for line in map(json.loads, lines):
        assert (line["task"], line["host"], line["request"], line["url"]) == (
            "docs",
            "a.example",
            7,
            PAGE.url,
        )
        assert line["category"] == "gossamer.fetch"


def test_text_is_one_line_with_time_level_and_category(file: Path) -> None:
    (line,) = log(file, PAGE, form="text")
    words = line.split()
    assert words[1:6] == ["INFO", "gossamer.fetch", "task=docs", "host=a.example", "request=7"]
    assert words[0].endswith("Z")
    assert line.endswith("fetched 200 12.0 kB 0.25 s http://a.example/x")


def test_levels_choose_by_category(file: Path) -> None:
    failed = PageVisited(
        1.0, "docs", "http://a.example/y", "failed", cause="timeout", host="a.example", request=8
    )
    ended = TaskEnded(2.0, "docs", "finished", "nothing left", {"downloaded": 3})
    lines = log(file, PAGE, failed, ended, levels=("fetch=WARNING",), form="text")
    assert [line.split()[1] for line in lines] == ["WARNING", "INFO"]
    assert "timeout" in lines[0]


def test_a_notice_is_a_warning_unless_nothing_is_wrong(file: Path) -> None:
    lines = log(file, Notice(1.0, "the disk is full"), Notice(2.0, "indexing", is_trouble=False), form="text")
    assert [line.split()[1] for line in lines] == ["WARNING", "INFO"]


def test_without_a_reader_events_do_not_pass_through_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("gossamer"), "propagate", False)  # pytest reads the root's log
    seen: list[object] = []
    watch = seen.append
    assert log_events(watch) is watch
    assert not is_verbose()


def test_steps_are_told_only_if_the_log_wants_them(file: Path) -> None:
    handler = set_up_logs(LogOptions(file=str(file)))
    try:
        assert not is_verbose()
        logging.getLogger("gossamer.fetch").setLevel(logging.DEBUG)
        assert is_verbose()
    finally:
        tear_down_logs(handler)


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_from_the_web_reaches_a_terminal_raw(file: Path, form: str) -> None:
    page = PageVisited(1.0, EVIL, f"http://a.example/{EVIL}", "failed", cause=EVIL, host=EVIL, request=1)
    lines = log(file, page, TrapFound(1.0, "docs", EVIL, EVIL), Notice(1.0, EVIL), form=form)
    assert len(lines) == 3, "no line is forged"
    assert all(line.isprintable() for line in lines)


PLANTED = {
    "http://user:hunter2secret@a.example/": "hunter2secret",
    "https://:tokenX99@a.example/x": "tokenX99",
    "http://a.example/?user=anna&password=hunter2secret&x=1": "hunter2secret",
    "http://a.example/?api_key=k123456789": "k123456789",
    "http://a.example/;jsessionid=DEADBEEF01": "DEADBEEF01",
    "http://a.example/?access_token=abc.def.ghi#x": "abc.def.ghi",
    "Authorization: Basic YW5uYTpodW50ZXIy": "YW5uYTpodW50ZXIy",
    "Proxy-Authorization: Bearer eyJhbGciOi": "eyJhbGciOi",
    "Cookie: sid=feedface; theme=dark": "feedface",
    "Set-Cookie: session=cafebabe; Path=/": "cafebabe",
    '{"password": "hunter2secret"}': "hunter2secret",
    "sent bearer eyJhbGciOi.x": "eyJhbGciOi",
    "postgresql://crawl:hunter2secret@db.example/web": "hunter2secret",
}


@pytest.mark.parametrize("planted", PLANTED)
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_planted_secret_reaches_a_log(file: Path, planted: str, form: str) -> None:
    page = PageVisited(1.0, "docs", planted, "failed", cause=planted, host="a.example", request=1)
    lines = log(file, page, Notice(1.0, f"trouble with {planted} again"), form=form)
    assert len(lines) == 2
    assert PLANTED[planted] not in file.read_text("utf-8")


def test_a_secret_that_is_known_is_hidden_wherever_it_stands(file: Path) -> None:
    add_secrets(["pa ss/wörd", "abc"])
    lines = log(
        file,
        Notice(1.0, "the server said: pa ss/wörd is wrong; pa%20ss%2Fw%C3%B6rd too; abc stays"),
        form="text",
    )
    assert "wörd" not in lines[0]
    assert "%C3%B6" not in lines[0]
    assert "abc stays" in lines[0], "too short to be hidden everywhere"


@pytest.mark.parametrize(
    "text",
    [
        "status code: 404",
        "author=Smith",
        "a.example:8080 answered",
        "3 pages, key words",
        "http://a.example/?page=2",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert hide_secrets(text) == text


def test_an_exception_is_written_without_secrets(file: Path) -> None:
    handler = set_up_logs(LogOptions(file=str(file), format="json"))
    try:
        raise ValueError("http://user:hunter2secret@a.example/")
    except ValueError:
        logging.getLogger("gossamer.run").exception("ended")
    finally:
        tear_down_logs(handler)
    (line,) = map(json.loads, file.read_text("utf-8").splitlines())
    assert line["trace"][-1].startswith("ValueError")
    assert "hunter2secret" not in str(line)


def test_a_file_is_replaced_when_it_is_large(tmp_path: Path) -> None:
    handler = FileHandler(tmp_path / "log", maxBytes=2_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(JsonFormatter())
    for number in range(100):
        handler.emit(logging.LogRecord("gossamer.crawl", logging.INFO, "", 0, "line %d", (number,), None))
    handler.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "log.1", "log.2"]
    assert max(path.stat().st_size for path in tmp_path.iterdir()) <= 2_000


def test_a_log_that_cannot_be_written_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    handler = FileHandler(Path("/dev/full"), encoding="utf-8")
    for _ in range(3):
        handler.handle(logging.LogRecord("gossamer.crawl", logging.INFO, "", 0, "line", (), None))
    handler.close()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written" in said


def test_the_journal_gets_fields_by_its_own_protocol(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(path)
        journal.settimeout(60)
        handler = JournalHandler(JsonFormatter(), path)
        record = logging.LogRecord("gossamer.fetch", logging.WARNING, "", 0, "failed", (), None)
        record.__dict__.update(task="docs", host="a.example", request=7, url="http://a.example/")
        handler.emit(record)
        fields = dict(line.split("=", 1) for line in journal.recv(65_536).decode().splitlines())
        handler.close()
    assert fields == {
        "MESSAGE": "failed http://a.example/",
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "gossamer",
        "GOSSAMER_CATEGORY": "gossamer.fetch",
        "GOSSAMER_TASK": "docs",
        "GOSSAMER_HOST": "a.example",
        "GOSSAMER_REQUEST": "7",
        "GOSSAMER_URL": "http://a.example/",
    }


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (LogOptions(levels=("fetsch=DEBUG",)), "did you mean 'fetch'"),
        (LogOptions(levels=("fetch=LOUD",)), "has no level"),
        (LogOptions(format="xml"), "text or json"),
        (LogOptions(verbose=True, quiet=True), "contradict"),
        (LogOptions(file="/nowhere/x.log"), "cannot be written"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options: LogOptions, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        set_up_logs(options)
