"""What does not work with a browser is said before the crawl begins, and found out once."""

import os
import shlex
from pathlib import Path

import msgspec
import pytest
from tests.rendering.harness import need_browser
from tests.rendering.scripted_site import serve_scripts
from tests.rendering.test_render_crawls import crawl_site

from gossamer.errors import BadInput
from gossamer.fetch.browser import find_browser as finding
from gossamer.fetch.browser import try_browser as trying
from gossamer.fetch.browser.try_browser import try_browser

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(trying, "_known", {})


def write_program(folder: Path, before: str = "") -> Path:
    """Write a program that counts its starts and then is the browser, unless something before ends it."""
    program = folder / "chromium"
    started = shlex.quote(str(folder / "started"))
    run = f'exec {shlex.quote(need_browser().program)} "$@"'
    program.write_text(f"#!/bin/sh\necho >> {started}\n{before}\n{run}\n")
    program.chmod(0o755)
    return program


def count_starts(folder: Path) -> int:
    """Return how often the program was started."""
    started = folder / "started"
    return len(started.read_text()) if started.exists() else 0


def test_a_browser_is_started_once_for_all_crawls_that_may_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = write_program(tmp_path)
    first = try_browser(str(program))
    assert count_starts(tmp_path) == 1
    monkeypatch.setattr(trying, "_known", {})  # as in another process
    assert try_browser(str(program)) == first
    assert count_starts(tmp_path) == 1
    os.utime(program, (2.0, 2.0))  # another version was installed
    try_browser(str(program))
    assert count_starts(tmp_path) == 2


def test_a_damaged_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = write_program(tmp_path)
    for content in (b"", b"[1]", b'{"a": 2}', b"\xff"):
        cache = tmp_path / "cache" / "gossamer" / "browsers.json"
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(content)
        monkeypatch.setattr(trying, "_known", {})
        try_browser(str(program))
    assert count_starts(tmp_path) == 4


def test_a_machine_that_refuses_the_sandbox_is_named_and_the_browser_runs_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = (
        'case " $* " in *" --no-sandbox "*) set -- "$@" ;; '
        '*) echo "[1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!" >&2; exit 1 ;; esac'
    )
    # The root user of this machine would not have it anyway.
    as_root = "--no-sandbox" if os.geteuid() == 0 else ""
    program = write_program(tmp_path, f'{refuse}\nset -- "$@" {as_root}')
    monkeypatch.setattr(finding, "_find_sandbox", lambda _: (True, ""))
    found = try_browser(str(program))
    assert not found.sandbox
    assert found.notes[0].startswith("the browser runs without its sandbox: this machine refuses it")
    assert count_starts(tmp_path) == 2
    assert msgspec.structs.replace(found, notes=()) == msgspec.structs.replace(
        try_browser(str(program)), notes=()
    )
    assert count_starts(tmp_path) == 2


@pytest.mark.parametrize(
    ("setting", "name"),
    [("_USER_NAMESPACES", "user.max_user_namespaces"), ("_UNPRIVILEGED", "kernel.unprivileged_userns_clone")],
)
def test_a_machine_without_user_namespaces_is_known_without_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, name: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    value = tmp_path / "value"
    value.write_text("0\n")
    monkeypatch.setattr(finding, setting, value)
    program = write_program(tmp_path)
    found = finding.find_browser(str(program))
    assert not found.sandbox
    assert name in found.notes[0]
    value.write_text("1\n")
    assert finding.find_browser(str(program)).sandbox


def test_a_full_dev_shm_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_SHARED_MEMORY", tmp_path / "nowhere")
    found = try_browser(str(write_program(tmp_path)))
    assert not found.shared_memory
    assert any("has no room for the browser" in note for note in found.notes)


def test_a_browser_that_is_too_old_or_does_not_start_is_refused(tmp_path: Path) -> None:
    answer = 'printf \'{"id":1,"result":{"product":"Chrome/90.0.1"}}\\0\' >&4; sleep 5; exit'
    with pytest.raises(BadInput, match=r"is Chrome/90\.0\.1; rendering needs Chromium 120 or later"):
        try_browser(str(write_program(tmp_path, answer)))
    with pytest.raises(BadInput, match="did not start: error while loading shared libraries"):
        try_browser(str(write_program(tmp_path, "echo 'error while loading shared libraries' >&2; exit 127")))
    assert trying._known == {}


def test_another_browser_is_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "firefox-esr"
    other.write_text("#!/bin/sh\nexec sleep 60\n")
    other.chmod(0o755)
    (tmp_path / "www-browser").symlink_to(other)
    for path in (other, tmp_path / "www-browser"):
        with pytest.raises(BadInput, match="is Firefox, which pages cannot be rendered with"):
            try_browser(str(path))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--render-share", "0"), "--render-share 0 lets auto show no page"),
        (("--render", "never", "--screenshots"), "--screenshots keeps pictures of pages that are shown"),
        (("--browser", "/bin/true"), "the browser /bin/true did not start"),
        (("--render-time", "0.1"), "--render-time 0.1 leaves no page the time to get quiet"),
    ],
)
def test_a_crawl_that_could_show_nothing_does_not_begin(
    tmp_path: Path, options: tuple[str, str], said: str
) -> None:
    with serve_scripts() as site:
        ran = crawl_site(site, tmp_path / "web", "--render", "auto", *options)
        assert ran.returncode == 2
        assert said in " ".join(ran.stderr.split())
        assert len(ran.stderr.strip().splitlines()) <= 4
        assert site.requests == []
        assert not (tmp_path / "web").exists()
