"""`gossamer lab` serves worlds, recordings and folders, and wrong use is an error of one sentence."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import gossamer
from gossamer.cli import main
from gossamer.cli.lab.verbs import parse_scripted, parse_trouble
from gossamer.errors import BadInput
from gossamer.lab.options import HOST_TROUBLES, PAGE_TROUBLES, ROBOTS_TROUBLES
from gossamer.lab.script_options import RESTING_SCRIPTS, RESTLESS_SCRIPTS
from gossamer.store.sqlite.schema import VERSION

TROUBLES = (*PAGE_TROUBLES, *ROBOTS_TROUBLES, *HOST_TROUBLES, "disallowed", "nofollow")
GOSSAMER = [str(Path(sys.executable).with_name("gossamer"))]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = GOSSAMER + [str(argument) for argument in arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


@contextmanager
def started(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, object]]]:
    """Start a lab with --json and yield the process and its first line of output."""
    command = [*GOSSAMER, "lab", *(str(argument) for argument in arguments), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield process, json.loads(line)
        finally:
            process.kill()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("hello")
    return folder


def fetch(port: object, target: str = "/") -> bytes:
    line = http.client.HTTPConnection("127.0.0.1", int(str(port)), timeout=60)
    try:
        line.request("GET", target)
        return line.getresponse().read()
    finally:
        line.close()


def listens(port: object) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", int(str(port)))) == 0


def test_version() -> None:
    lines = run("--version").stdout.splitlines()
    assert lines[0] == f"gossamer {gossamer.__version__}"
    assert f"web in a folder: reads 1 to {VERSION}, writes {VERSION}" in lines


def test_without_a_verb_help_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_here(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["gossamer", *arguments])
        with pytest.raises(SystemExit):
            main.run()
        return capsys.readouterr().out

    assert "lab" in run_here()
    shown = run_here("lab")
    assert all(verb in shown for verb in ("serve", "replay", "site"))


WRONG_USE = [
    (["nonsense"], "No such command"),
    (["lab", "serve", "--pages", "0"], "--pages"),
    (["lab", "serve", "--pages", "-5"], "--pages"),
    (["lab", "serve", "--pages", "ten"], "--pages"),
    (["lab", "serve", "--hosts", "0"], "--hosts"),
    (["lab", "serve", "--pagse", "5"], "--pagse"),
    (["lab", "serve", "--naming", "numbers"], "address"),
    (["lab", "serve", "--languages", "tlh"], "tlh"),
    (["lab", "serve", "--languages", ","], "language"),
    (["lab", "serve", "--trouble", "2"], "between 0 and 1"),
    (["lab", "serve", "--trouble", "stal"], "did you mean stall?"),
    (["lab", "serve", "--trouble", "quidditch"], "use one of redirect, redirect_loop"),
    (["lab", "serve", "--trouble", "stall=much"], "not a share"),
    (["lab", "serve", "--scripted", "2"], "in total"),
    (["lab", "serve", "--scripted", "clien"], "did you mean client?"),
    (["lab", "serve", "--scripted", "hang", "--probed", "192.0.2.1:80"], "loopback"),
    (["lab", "serve", "--port", "70000"], "--port"),
    (["lab", "serve", "--processes", "0"], "--processes"),
    (["lab", "site"], "Missing argument"),
    (["lab", "site", "/no/such/folder"], "is not a folder"),
    (["lab", "site", "/etc/passwd"], "is not a folder"),
    (["lab", "site", "/etc", "--log", "/no/such/folder/log"], "Cannot write the log"),
    (["lab", "site", "/etc", "--log", "/etc"], "Cannot write the log"),
    (["lab", "replay", "/no/such/file"], "Cannot read"),
    (["lab", "replay", "/etc"], "Cannot read"),
    (["lab", "replay", "/etc/passwd"], "not a WARC"),
    (["lab", "replay", "/dev/null"], "not a WARC"),
]


def check_one_sentence(code: object, out: str, error: str, sentence: str) -> None:
    assert code == 2
    assert out == ""
    assert sentence in error
    assert error.startswith("gossamer: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE)
def test_wrong_use_is_an_error_of_one_sentence(
    arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["gossamer", *arguments])
    with pytest.raises(SystemExit) as ended:
        main.run()
    check_one_sentence(ended.value.code, *capsys.readouterr(), sentence)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE[::5])  # the test above tries all of them
def test_wrong_use_of_the_installed_program(arguments: list[str], sentence: str) -> None:
    ended = run(*arguments)
    check_one_sentence(ended.returncode, ended.stdout, ended.stderr, sentence)


def test_a_port_in_use_is_an_error(site: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run("lab", "site", site, "--port", str(taken.getsockname()[1]))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "already in use" in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_lab_cleanly(site: Path, number: signal.Signals) -> None:
    with started("site", site) as (process, printed):
        assert fetch(printed["port"]) == b"hello"
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert json.loads(out) == {"requests": 1, "hosts_asked": 1}
    assert err == ""


@pytest.mark.slow
def test_several_processes_end_with_their_parent(site: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with started("site", site, "--processes", "2", "--log", log) as (process, printed):
        for _ in range(30):
            assert fetch(printed["port"]) == b"hello"
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        out, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["requests"] == 30
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len({line["connection"] for line in lines}) == 30
    assert not listens(printed["port"])


@pytest.mark.slow
def test_killing_the_parent_ends_its_processes(site: Path) -> None:
    with started("site", site, "--processes", "2") as (process, printed):
        assert fetch(printed["port"]) == b"hello"
        process.kill()
        process.wait()
        deadline_s = time.monotonic() + 60
        while listens(printed["port"]) and time.monotonic() < deadline_s:
            time.sleep(0.05)
        assert not listens(printed["port"])


def test_the_terminal_shows_start_pages_and_the_number_of_requests(site: Path) -> None:
    ended = run("lab", "site", site, "--time", "0.05")
    assert ended.returncode == 0
    assert "Start at:\n  http://127.0.0.1:" in ended.stdout
    assert "curl -i http://127.0.0.1:" in ended.stdout
    assert ended.stdout.endswith("Served 0 requests to 0 hosts.\n")


@pytest.mark.slow
def test_a_recording_is_served_with_its_hosts(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\r\n\r\nrecorded"
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:1>\r\n"
    )
    head += b"WARC-Target-URI: http://a.example/\r\nContent-Type: application/http;msgtype=response\r\n"
    warc, hosts = tmp_path / "a.warc", tmp_path / "hosts"
    record = head + b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (len(block), block)
    warc.write_bytes(record + record[:100])
    with started("replay", warc, "--hosts-file", hosts) as (process, printed):
        assert fetch(printed["port"], "http://a.example/") == b"recorded"
        process.terminate()
        assert process.communicate(timeout=600)[1].count("ends in the middle") == 1
    assert printed["seeds"] == ["http://a.example/"]
    assert printed["host_map"] == {"a.example": "127.1.0.1"}
    assert hosts.read_text() == "127.1.0.1\ta.example\n"
    shown = run("lab", "replay", warc, "--hosts-file", "-", "--time", "0").stdout
    assert shown.startswith("127.1.0.1\ta.example\nServing 1 recorded page of 1 host")
    refused = run("lab", "replay", warc, "--hosts-file", tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.slow
def test_a_synthetic_web_is_served() -> None:
    with started("serve", "--pages", "300", "--hosts", "5", "--seed", "7") as (process, printed):
        assert len(list(str(printed["hosts"]).split(","))) == 5
        first = str(printed["seeds"][0])  # type: ignore[index]
        host = first.split("/")[2].split(":")[0]
        line = http.client.HTTPConnection(host, int(str(printed["port"])), timeout=60)
        line.request("GET", "/")
        response = line.getresponse()
        assert response.status == 200
        assert b"<html" in response.read().lower()
        line.close()
        process.terminate()
        assert process.wait(600) == 0


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("none", {"stall": 0.0, "slow": 0.0}),
        ("0.01", {"stall": 0.01, "slow": 0.01, "nofollow": 0.01}),
        ("stall, redirect-loop=0.25", {"stall": 0.02, "redirect_loop": 0.25, "slow": 0.0}),
    ],
)
def test_trouble_is_parsed(text: str, shares: dict[str, float]) -> None:
    trouble = parse_trouble(text)
    assert {name: getattr(trouble, name) for name in shares} == shares


@pytest.mark.parametrize("text", ["", "x", "stall=", "stall=2", "-1", "0.5.5"])
def test_impossible_trouble_is_an_error(text: str) -> None:
    with pytest.raises(BadInput):
        parse_trouble(text)


def test_every_trouble_is_documented(repository: Path) -> None:
    page = (repository / "docs" / "lab.md").read_text("utf-8")
    assert [kind for kind in TROUBLES if f"`{kind}`" not in page] == []


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("none", {"client": 0.0, "hang": 0.0}),
        ("0.24", {"client": 0.02, "shadow": 0.02, "hang": 0.0}),
        ("client, hang=0.25", {"client": 0.02, "hang": 0.25, "shadow": 0.0}),
    ],
)
def test_kinds_of_scripts_are_parsed(text: str, shares: dict[str, float]) -> None:
    scripted = parse_scripted(text, "127.0.0.9:99")
    assert {name: getattr(scripted, name) for name in shares} == pytest.approx(shares)
    assert scripted.probed == "127.0.0.9:99"


def test_every_kind_of_script_is_documented(repository: Path) -> None:
    page = (repository / "docs" / "lab.md").read_text("utf-8")
    assert [kind for kind in (*RESTING_SCRIPTS, *RESTLESS_SCRIPTS) if f"`{kind}`" not in page] == []
