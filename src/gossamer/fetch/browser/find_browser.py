"""Find the browser: Chromium of the system, Chrome, or a build of Playwright; without starting it."""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.errors import BadInput

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
# The scripts of packages only collect options, in a tenth of a second of shell; the program lies beside.
_BEHIND_SCRIPTS = {
    "/usr/bin/chromium": "/usr/lib/chromium/chromium",
    "/usr/bin/google-chrome": "/opt/google/chrome/chrome",
    "/usr/bin/google-chrome-stable": "/opt/google/chrome/chrome",
}
_PLAYWRIGHT_BUILDS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium-*/*/chrome",
)
_OTHER = "firefox"
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only measured
_SHARED_BYTES = 64 << 20
_INSTALL = "install one (apt-get install chromium), or name one with --browser PATH"
_USER_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
_UNPRIVILEGED = Path("/proc/sys/kernel/unprivileged_userns_clone")
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
SANDBOX_SETTINGS = (_USER_NAMESPACES, _UNPRIVILEGED, _APPARMOR)
"""Where the system says whether programs of users may have sandboxes. AppArmor may allow it to some programs only."""
_HELPER = "chrome-sandbox"


class Browser(msgspec.Struct, frozen=True):
    """A browser that was found, and how it has to be started on this machine."""

    program: str
    sandbox: bool = True
    """Whether this machine lets it have its sandbox."""
    shared_memory: bool = True
    """Whether /dev/shm has room for it; otherwise it uses files."""
    notes: tuple[str, ...] = ()
    """What a person should know, in sentences."""


def find_browser(path: str = "") -> Browser:
    """Return the browser at this path, or the first one of this machine; raise BadInput if there is none."""
    program = _check_path(path) if path else _find_program()
    sandbox, why = _find_sandbox(program)
    notes = [] if sandbox else [f"the browser runs without its sandbox: {why}"]
    shared_memory = _has_shared_memory()
    if not shared_memory:
        notes.append(f"{_SHARED_MEMORY} has no room for the browser, which uses files in its place")
    return Browser(program, sandbox, shared_memory, tuple(notes))


def _check_path(path: str) -> str:
    found = shutil.which(path) if os.sep not in path else path
    if found is None or not Path(found).exists():
        raise BadInput(f"there is no browser at {path}: name the program of Chromium or Chrome")
    if _OTHER in Path(found).resolve().name.lower():  # it would start, and never answer
        raise BadInput(
            f"{path} is Firefox, which pages cannot be rendered with: name the program of Chromium or Chrome"
        )
    mode = Path(found).stat().st_mode
    if not stat.S_ISREG(mode) or not mode & 0o111 or not os.access(found, os.X_OK):
        raise BadInput(f"{path} is not a program that can be run: name the program of Chromium or Chrome")
    return _leave_script(found)


def _find_program() -> str:
    for name in _NAMES:
        if (found := shutil.which(name)) is not None:
            return _leave_script(found)
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in _PLAYWRIGHT_BUILDS:
        builds = sorted(folder.glob(pattern), key=lambda build: build.stat().st_mtime)
        if builds:
            return str(builds[-1])
    raise BadInput(f"pages are to be rendered, and there is no Chromium on this machine: {_INSTALL}")


def _leave_script(found: str) -> str:
    """Return the program that a script of a package starts, if it is where packages put it."""
    program = _BEHIND_SCRIPTS.get(found, "")
    return program if program and os.access(program, os.X_OK) else found


def _find_sandbox(program: str) -> tuple[bool, str]:
    """Say whether Chromium can have its sandbox here, as far as it is seen without starting it, and if not, why."""
    if os.geteuid() == 0:
        return False, "Chromium refuses it for root; run the crawl as another user to have it"
    if _has_helper(program):
        return True, ""
    for path, name in (
        (_USER_NAMESPACES, "user.max_user_namespaces"),
        (_UNPRIVILEGED, "kernel.unprivileged_userns_clone"),
    ):
        with suppress(OSError, ValueError):
            if int(path.read_text("ascii")) == 0:
                return False, f"this machine allows no user namespaces ({name} is 0)"
    return True, ""


def _has_helper(program: str) -> bool:
    """Say whether the program beside Chromium is there that makes sandboxes without user namespaces."""
    try:
        helper = Path(program).resolve().with_name(_HELPER).stat()
    except OSError:
        return False
    return helper.st_uid == 0 and bool(helper.st_mode & stat.S_ISUID)


def _has_shared_memory() -> bool:
    try:
        room = os.statvfs(_SHARED_MEMORY)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize >= _SHARED_BYTES
