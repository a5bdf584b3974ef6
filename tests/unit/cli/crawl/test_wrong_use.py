"""Wrong input gets one clear sentence and exit code 2, and harms no web."""

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
    "file": b"something of somebody's",
}
WRONG_USE = [
    ([], "start page"),
    (["ftp://page.example/"], "scheme"),
    (["page.example"], "scheme"),
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
LOOKING = [
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


def in_process(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    """Run the program's own way out; return what it said."""
    monkeypatch.setattr(sys, "argv", ["gossamer", *arguments])
    with pytest.raises(SystemExit) as ended:
        main.run()
    out, said = capsys.readouterr()
    return one_sentence(ended.value.code, out, said)


def one_sentence(code: object, out: str, said: str) -> str:
    assert (code, out) == (2, ""), said
    assert said.startswith("gossamer: ")
    assert said.count("\n") == 1
    return said


def state_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm", "lock"))
    }


@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE)
def test_wrong_use_is_told_before_a_web_is_made(
    arguments: list[str],
    sentence: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert sentence in in_process(["crawl", *arguments], capsys, monkeypatch)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "sentence"), WRONG_USE)
def test_the_real_program_tells_it_too(
    arguments: list[str], sentence: str, folder: Path, program: Program
) -> None:
    ended = program("crawl", *arguments)
    assert sentence in one_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("verb", LOOKING, ids=lambda verb: verb[0])
def test_verbs_that_need_a_web_make_none(
    verb: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = in_process([*verb, "--web", "nowhere"], capsys, monkeypatch)
    assert "there is no web at nowhere; `gossamer crawl URL --web nowhere` makes one" in said
    assert not (folder / "nowhere").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["explain", "nonsense"], "'nonsense' is not a page"),
        (["submit", "nonsense"], "'nonsense' is not a page"),
        (["submit", PAGE, "--task", "al"], "did you mean 'all'?"),
        (["stop", "unheard-of"], "it has all"),
        (["resume", "unheard-of"], "has no task 'unheard-of'"),
        (["change", "all"], "say what is to change"),
        (["change", "all", "--name", "other"], "keeps its name"),
        (["change", "all", "--include", "("], "not a regular expression"),
        (["change", "all", "--pages", "-2"], "limits.pages"),
    ],
)
def test_wrong_orders_are_told_and_change_nothing(
    arguments: list[str],
    sentence: str,
    web: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = state_of(web)
    assert sentence in in_process([*arguments, "--web", str(web)], capsys, monkeypatch)
    assert state_of(web) == before


def spoil_by_garbage(state: Path) -> None:
    state.write_bytes(os.urandom(50_000))


def spoil_in_places(state: Path) -> None:
    data = bytearray(state.read_bytes())
    for at in range(3 * 8192, len(data), 3000):
        data[at : at + 500] = b"\xaa" * 500
    state.write_bytes(data)


def spoil_by_cutting(state: Path) -> None:
    os.truncate(state, state.stat().st_size // 2)


def spoil_by_folder(state: Path) -> None:
    state.unlink()
    state.mkdir()


def spoil_by_other_program(state: Path) -> None:
    state.unlink()
    with sqlite3.connect(state) as database:
        database.execute("create table recipe (name)")
    database.close()


@pytest.mark.parametrize("verb", [["crawl", PAGE], *LOOKING], ids=lambda verb: verb[0])
@pytest.mark.parametrize(
    "spoil",
    [spoil_by_garbage, spoil_in_places, spoil_by_cutting, spoil_by_folder, spoil_by_other_program],
)
def test_a_damaged_web_is_told_and_left_as_it_is(
    spoil: Callable[[Path], None],
    verb: list[str],
    web: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for log in web.glob("state.sqlite-*"):
        log.unlink()
    spoil(web / "state.sqlite")
    before = state_of(web)
    said = in_process([*verb, "--web", str(web)], capsys, monkeypatch)
    assert "state.sqlite is" in said
    assert state_of(web) == before


@pytest.mark.slow
def test_the_real_program_tells_of_a_damaged_web_too(web: Path, program: Program) -> None:
    spoil_by_garbage(web / "state.sqlite")
    before = state_of(web)
    for verb in (["crawl", PAGE], ["resume"], ["tasks"], ["explain", PAGE]):
        ended = program(*verb, "--web", web)
        one_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert state_of(web) == before


@pytest.mark.parametrize("verb", [["crawl", PAGE], ["resume"]], ids=lambda verb: verb[0])
def test_a_web_in_use_is_told(
    verb: list[str], web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state_of(web)
    monkeypatch.setattr("gossamer.web.UNFINISHED", ("finished",))
    with (web / "lock").open("w") as held:
        held.write(f"{os.getpid()}\n")  # one that lives: of one that died, the children are waited for
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        assert f"is in use by process {os.getpid()}" in in_process(
            [*verb, "--web", str(web)], capsys, monkeypatch
        )
    assert state_of(web) == before


# Root may do everything because of these; without them, files of somebody else are what they are to anybody.
AS_ANYBODY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def others_web(web: Path) -> Path:
    """A web of somebody else, which may be looked into and not written."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can run the program as somebody else, and needs setpriv for it")
    for path in [web, *web.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
        path.chmod(0o755 if path.is_dir() else 0o644)
    return web


@pytest.mark.slow
def test_a_web_of_somebody_else_can_be_read_and_not_written(others_web: Path, program: Program) -> None:
    before = state_of(others_web)
    for verb in (["tasks"], ["explain", PAGE]):
        ended = program(*verb, "--web", others_web, through=AS_ANYBODY)
        assert ended.returncode == 0, ended.stderr
    for verb in (["crawl", PAGE], ["resume", "all"], ["submit", PAGE], ["change", "all", "--pages", "5"]):
        ended = program(*verb, "--web", others_web, through=AS_ANYBODY)
        assert "permission" in one_sentence(ended.returncode, ended.stdout, ended.stderr).lower()
    assert state_of(others_web) == before


@pytest.mark.slow
def test_no_permission_to_read_or_to_make_a_web_is_told(others_web: Path, program: Program) -> None:
    (others_web / "state.sqlite").chmod(0o600)
    for verb in (["tasks"], ["explain", PAGE], ["resume"]):
        ended = program(*verb, "--web", others_web, through=AS_ANYBODY)
        assert "permission" in one_sentence(ended.returncode, ended.stdout, ended.stderr).lower()
    ended = program("crawl", PAGE, "--web", others_web / "new", through=AS_ANYBODY)
    assert "Permission denied" in one_sentence(ended.returncode, ended.stdout, ended.stderr)
    assert not (others_web / "new").exists()


def test_a_store_that_fails_is_no_wrong_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise StoreFailed("the disk is full", full=True)

    monkeypatch.setattr("gossamer.cli.main.app", lambda *_, **__: full())
    monkeypatch.setattr(sys, "argv", ["gossamer", "tasks"])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "gossamer: the disk is full\n"
