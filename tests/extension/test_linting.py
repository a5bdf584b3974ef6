"""Check the source of the extension with eslint, and the package for Firefox with web-ext; `make test` installs both by the lock file."""

import os
import shutil
import signal
import subprocess
import zipfile
from pathlib import Path

import pytest
from tests.conftest import REPOSITORY
from tools.pack_extension import SOURCE, pack_all

TOOLS = REPOSITORY / ".venv" / "extension-tools" / "node_modules" / ".bin"
pytestmark = pytest.mark.slow
FIREFOX = ("firefox-esr", "firefox")


def _run(tool: str, *arguments: str, folder: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node: apt-get install nodejs npm")
    if not (TOOLS / tool).exists():
        pytest.skip(f"{tool} is not installed: make extension-tools")
    quiet = {**os.environ, "NO_UPDATE_NOTIFIER": "1"}
    found = subprocess.run(
        [str(TOOLS / tool), *arguments], cwd=folder, capture_output=True, text=True, env=quiet, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_eslint_finds_nothing() -> None:
    _run("eslint", "--config", "eslint.config.js", ".", folder=SOURCE)


def test_web_ext_finds_no_error_in_the_package_for_firefox(tmp_path: Path) -> None:
    packed = pack_all(tmp_path)[1]
    (source := tmp_path / "firefox").mkdir()
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(source)
    _run("web-ext", "lint", "--no-config-discovery", "--source-dir", str(source), folder=tmp_path)


def test_firefox_takes_the_package(tmp_path: Path) -> None:
    """Start Firefox with the package for some seconds: web-ext installs it by the debugger, and fails if Firefox refuses it."""
    found = next(filter(None, map(shutil.which, FIREFOX)), None)
    if found is None:
        pytest.skip("there is no firefox: apt-get install firefox-esr")
    if not (TOOLS / "web-ext").exists():
        pytest.skip("web-ext is not installed: make extension-tools")
    packed = pack_all(tmp_path)[1]
    (source := tmp_path / "firefox").mkdir()
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(source)
    command = [
        str(TOOLS / "web-ext"),
        "run",
        "--no-config-discovery",
        "--no-reload",
        "--source-dir",
        str(source),
    ]
    command += ["--firefox", found, "--args=--headless", "--verbose"]
    said = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as running:
        assert running.stdout is not None
        try:
            for line in running.stdout:
                said.append(line)
                if "Installed " in line or "[error]" in line:
                    break
        finally:
            os.killpg(running.pid, signal.SIGKILL)  # Firefox, too
    assert "Installed " in said[-1], "".join(said[-5:])
