"""A web is private when it is made; one that is shared can be searched by those who may enter it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import HTML, Toy, make_command

from gossamer.cli.main import run_verb
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving

NOBODY = 65534
# Without these capabilities root has no more rights to the files of other users than anyone else.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def make_web(folder: Path) -> None:
    """Crawl a page and index it."""
    text = b"<title>Shared</title><p>A page about violins, for everybody."
    with serving(Toy({"127.0.0.1": {"/": LabAnswer(200, HTML, text)}})) as running:
        quick = ("--allow-private", "127.0.0.0/8", "--delay", "0", "--json")
        page = f"http://127.0.0.1:{running.port}/"
        assert run_verb(["crawl", page, *quick, "--web", str(folder)]) == 0
    assert run_verb(["index", "--web", str(folder)]) == 0
    assert run_verb(["stop", "--web", str(folder)]) == 0


def list_modes(folder: Path, folders: bool) -> dict[str, int]:
    found = [path for path in folder.rglob("*") if path.is_dir() == folders]
    return {str(path.relative_to(folder)): path.stat().st_mode & 0o777 for path in found}


@pytest.mark.slow
@pytest.mark.usefixtures("umask")
def test_a_new_web_is_private_and_its_files_agree(tmp_path: Path) -> None:
    make_web(tmp_path / "a.web")
    assert (tmp_path / "a.web").stat().st_mode & 0o777 == 0o700
    modes = list_modes(tmp_path / "a.web", folders=False)
    assert {"state.sqlite", "lock", "index/meta.json"} <= modes.keys()
    assert set(modes.values()) == {0o644}, modes
    assert set(list_modes(tmp_path / "a.web", folders=True).values()) == {0o755}


@pytest.mark.slow
@pytest.mark.usefixtures("umask")
def test_another_user_can_search_a_shared_web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv to run the program with fewer rights")
    monkeypatch.setenv("GOSSAMER_WEB_MODE", "755")
    web = tmp_path / "a.web"
    make_web(web)
    for path in [web, *web.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    command = make_command("search", "violins", "--web", str(web), "--json")
    ended = subprocess.run(
        [*WITHOUT_RIGHTS, *command], capture_output=True, text=True, check=False, timeout=100
    )
    assert ended.returncode == 0, ended.stderr
    assert '"Shared"' in ended.stdout
