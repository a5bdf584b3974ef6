"""Wrong input gets one clear sentence and exit code 2, and leaves the web unchanged."""

import fcntl
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from tests.unit.cli.programs import Program

from gossamer.cli import main
from gossamer.errors import StoreFailed

PAGE = "http://page.example/"
NOBODY = 65534

FILES = {
    "misspelt.toml": b'seeds = ["http://page.example/"]\n[limits]\npagse = 4\n',
    "section.toml": b'seeds = ["http://page.example/"]\n[limit]\npages = 4\n',
    "broken.toml": b"seeds = [",
    "binary.toml": b"\xff\xfe\x00",
    "type.toml": b'seeds = "http://page.example/"\n',
    "value.toml": b'seeds = ["http://page.example/"]\n[limits]\npages = -4\n',
    "bad_seed.toml": b'seeds = ["gopher://page.example/"]\n',
    "hosts": b"nonsense line\n",
    "file": b"some other content",
}
WRONG_USE = [
    ([], "start page"),
    (["gopher://page.example/"], "scheme"),
    (["page"], "scheme"),
    (["file"], "scheme"),
    (["misspelt.toml"], "`--seed-files misspelt.toml` reads start pages from it"),
    (["http://"], "no host"),
    (["http://pa ge.example/"], "syntax"),
    ([PAGE, "--order", "topic", "--topic", "zz"], "has no topic 'zz'"),
    (["--task", "misspelt.toml"], "'pagse'; did you mean 'pages'?"),
    (["--task", "section.toml"], "'limit'; did you mean 'limits'?"),
    (["--task", "broken.toml"], "not a task file"),
    (["--task", "binary.toml"], "not a task file"),
    (["--task", "type.toml"], "seeds"),
    (["--task", "value.toml"], "limits.pages"),
    (["--task", "bad_seed.toml"], "gopher"),
    (["--task", "missing.toml"], "missing.toml"),
    (["--task", "."], "directory"),
    ([PAGE, "--order", "bredth"], "breadth"),
    ([PAGE, "--include", "("], "'(' is not a regular expression"),
    ([PAGE, "--name", "two words"], "name may have letters, digits, dots, hyphens and _ only"),
    ([PAGE, "--exclude", "[a"], "regular expression"),
    ([PAGE, "--include-hosts", "*"], "regular expression"),
    ([PAGE, "--exclude-hosts", "a**"], "regular expression"),
    ([PAGE, "--allow-private", "localhost"], "'localhost' is not a network"),
    ([PAGE, "--allow-private", "10.0.0.1/8"], "not a network"),
    ([PAGE, "--proxy", "nonsense"], "not the URL of a proxy"),
    ([PAGE, "--proxy", "ftp://proxy.example"], "not the URL of a proxy"),
    ([PAGE, "--hosts-file", "hosts"], "line 1 of the hosts file"),
    ([PAGE, "--hosts-file", "missing"], "cannot read the hosts file"),
    ([PAGE, "--seed-files", "missing"], "cannot read start pages"),
    ([PAGE, "--seed-files", "binary.toml"], "cannot read start pages"),
    ([PAGE, "--auth", "nobody"], "user:password"),
    ([PAGE, "--kinds", "htm"], "did you mean 'html'?"),
    ([PAGE, "--user-agent", "a\nb"], "plain characters"),
    ([PAGE, "--scope", "hosts"], "--scope"),
    ([PAGE, "--depth", "many"], "--depth"),
    ([PAGE, "--pages", "-1"], "pages"),
    ([PAGE, "--delay", "-1"], "delay"),
    ([PAGE, "--delay", "nan"], "delay"),
    ([PAGE, "--page-bytes", "0"], "page_bytes"),
    ([PAGE, "--pagse", "5"], "--pagse"),
    ([PAGE, "--web", "file"], "is a file"),
    ([PAGE, "--web", "file/web"], "Not a directory"),
]
READING_VERBS = [
    ["resume"],
    ["tasks"],
    ["stop"],
    ["explain", PAGE],
    ["submit", PAGE],
    ["change", "all", "--pages", "3"],
    ["recrawl", "--plan"],
    ["index"],
    ["search", "word"],
    ["serve"],
    ["assess", "--list"],
    ["graph", "stats"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_wrongly(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    """Run the program in this process; return its message."""
    monkeypatch.setattr(sys, "argv", ["gossamer", *arguments])
    with pytest.raises(SystemExit) as ended:
        main.run()
    out, err = capsys.readouterr()
    return check_sentence(ended.value.code, out, err)


def check_sentence(code: object, out: str, err: str) -> str:
    assert (code, out) == (2, ""), err
    assert err.startswith("gossamer: ")
    assert err.count("\n") == 1
    return err


def hash_files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm", "lock"))
    }


@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE)
def test_wrong_use_is_reported_before_a_web_is_created(
    arguments: list[str],
    sentence: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert sentence in run_wrongly(["crawl", *arguments], capsys, monkeypatch)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE[::5])  # the test above tries all of them
def test_the_real_program_reports_it_too(
    arguments: list[str], sentence: str, folder: Path, program: Program
) -> None:
    ended = program("crawl", *arguments)
    assert sentence in check_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("verb", READING_VERBS, ids=lambda verb: verb[0])
def test_verbs_that_need_a_web_create_none(
    verb: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = run_wrongly([*verb, "--web", "nowhere"], capsys, monkeypatch)
    assert "there is no web at nowhere; `gossamer crawl URL --web nowhere` creates one" in said
    assert not (folder / "nowhere").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["explain", "nonsense"], "'nonsense' is not a page"),
        (["submit", "nonsense"], "'nonsense' is not a page"),
        (["submit", PAGE, "--task", "al"], "did you mean 'all'?"),
        (["stop", "unknown"], "it has all"),
        (["resume", "unknown"], "has no task 'unknown'"),
        (["change", "all"], "name at least one option"),
        (["change", "all", "--name", "other"], "cannot change the name"),
        (["change", "all", "--include", "("], "not a regular expression"),
        (["change", "all", "--pages", "-2"], "limits.pages"),
    ],
)
def test_wrong_orders_are_reported_and_change_nothing(
    arguments: list[str],
    sentence: str,
    web: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = hash_files(web)
    assert sentence in run_wrongly([*arguments, "--web", str(web)], capsys, monkeypatch)
    assert hash_files(web) == before


def overwrite_with_garbage(state: Path) -> None:
    state.write_bytes(os.urandom(50_000))


def overwrite_in_places(state: Path) -> None:
    data = bytearray(state.read_bytes())
    for at in range(3 * 8192, len(data), 3000):
        data[at : at + 500] = b"\xaa" * 500
    state.write_bytes(data)


def truncate_to_half(state: Path) -> None:
    os.truncate(state, state.stat().st_size // 2)


def replace_by_folder(state: Path) -> None:
    state.unlink()
    state.mkdir()


def replace_by_other_database(state: Path) -> None:
    state.unlink()
    with sqlite3.connect(state) as database:
        database.execute("create table recipe (name)")
    database.close()


@pytest.mark.parametrize("verb", [["crawl", PAGE], *READING_VERBS], ids=lambda verb: verb[0])
@pytest.mark.parametrize(
    "damage",
    [
        overwrite_with_garbage,
        overwrite_in_places,
        truncate_to_half,
        replace_by_folder,
        replace_by_other_database,
    ],
)
def test_a_damaged_web_is_reported_and_left_unchanged(
    damage: Callable[[Path], None],
    verb: list[str],
    web: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for log in web.glob("state.sqlite-*"):
        log.unlink()
    damage(web / "state.sqlite")
    before = hash_files(web)
    said = run_wrongly([*verb, "--web", str(web)], capsys, monkeypatch)
    assert "state.sqlite is" in said
    assert hash_files(web) == before


@pytest.mark.slow
def test_the_real_program_reports_a_damaged_web_too(web: Path, program: Program) -> None:
    overwrite_with_garbage(web / "state.sqlite")
    before = hash_files(web)
    for verb in (["crawl", PAGE], ["resume"], ["tasks"], ["explain", PAGE]):
        ended = program(*verb, "--web", web)
        check_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert hash_files(web) == before


@pytest.mark.parametrize("verb", [["crawl", PAGE], ["resume"]], ids=lambda verb: verb[0])
def test_a_web_in_use_is_reported(
    verb: list[str], web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hash_files(web)
    monkeypatch.setattr("gossamer.web.UNFINISHED", ("finished",))
    with (web / "lock").open("w") as held:
        held.write(
            f"{os.getpid()}\n"
        )  # a living process: for a dead one the program would wait for its children
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        assert f"is in use by process {os.getpid()}" in run_wrongly(
            [*verb, "--web", str(web)], capsys, monkeypatch
        )
    assert hash_files(web) == before


# Without these capabilities root has no more rights to the files of other users than anyone else.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def foreign_web(web: Path) -> Path:
    """A web that belongs to another user and may be read but not written."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv to run the program with fewer rights")
    for path in [web, *web.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
        path.chmod(0o755 if path.is_dir() else 0o644)
    return web


@pytest.mark.slow
def test_a_web_of_another_user_can_be_read_but_not_written(foreign_web: Path, program: Program) -> None:
    before = hash_files(foreign_web)
    for verb in (["tasks"], ["explain", PAGE]):
        ended = program(*verb, "--web", foreign_web, through=WITHOUT_RIGHTS)
        assert ended.returncode == 0, ended.stderr
    for verb in (["crawl", PAGE], ["resume", "all"], ["submit", PAGE], ["change", "all", "--pages", "5"]):
        ended = program(*verb, "--web", foreign_web, through=WITHOUT_RIGHTS)
        assert "permission" in check_sentence(ended.returncode, ended.stdout, ended.stderr).lower()
    assert hash_files(foreign_web) == before


@pytest.mark.slow
def test_missing_permissions_are_reported(foreign_web: Path, program: Program) -> None:
    (foreign_web / "state.sqlite").chmod(0o600)
    for verb in (["tasks"], ["explain", PAGE], ["resume"]):
        ended = program(*verb, "--web", foreign_web, through=WITHOUT_RIGHTS)
        assert "permission" in check_sentence(ended.returncode, ended.stdout, ended.stderr).lower()
    ended = program("crawl", PAGE, "--web", foreign_web / "new", through=WITHOUT_RIGHTS)
    assert "Permission denied" in check_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert not (foreign_web / "new").exists()


def test_a_store_failure_exits_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object) -> None:
        raise StoreFailed("the disk is full", full=True)

    monkeypatch.setattr("gossamer.cli.main.app", lambda *_, **__: full())
    monkeypatch.setattr(sys, "argv", ["gossamer", "tasks"])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "gossamer: the disk is full\n"
