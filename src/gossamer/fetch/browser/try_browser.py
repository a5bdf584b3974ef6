"""Start a browser once before a crawl that may need it, so that what does not work is said before the crawl begins.

What was found is remembered below the user's cache, for this browser, user and machine: a start takes half a second of CPU time.
"""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.fetch.browser.browser_process import BrowserProcess
from gossamer.fetch.browser.devtools import BrowserGone
from gossamer.fetch.browser.find_browser import SANDBOX_SETTINGS, Browser, find_browser

_MOST_KNOWN = 50
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_REFUSED = (
    "this machine refuses it, as kernels and AppArmor do that restrict user namespaces "
    "(kernel.apparmor_restrict_unprivileged_userns, kernel.unprivileged_userns_clone)"
)

_known: dict[str, str] = {}
"""For each browser that was started: why it has no sandbox, or ""."""
_DECODER = msgspec.json.Decoder(dict[str, str])


def try_browser(path: str = "") -> Browser:
    """Return the browser as it can be started here; raise BadInput if it cannot."""
    browser = find_browser(path)
    key = _describe_surroundings(browser)
    if key not in _known:
        remembered = _read_cache()
        if key in remembered:
            _known[key] = remembered[key]
        else:
            _known[key] = _start_once(browser)
            _write_cache({**remembered, key: _known[key]})
    why = _known[key]
    return without_sandbox(browser, why) if why else browser


def without_sandbox(browser: Browser, why: str) -> Browser:
    """Return a browser as it is started without its sandbox, with a sentence that says so."""
    note = f"the browser runs without its sandbox: {why}"
    return msgspec.structs.replace(browser, sandbox=False, notes=(note, *browser.notes))


def _start_once(browser: Browser) -> str:
    """Start a browser, without its sandbox if it cannot have it; return why it cannot, or ""."""
    with ThreadPoolExecutor(1) as thread:  # there may be an event loop in this one
        try:
            thread.submit(asyncio.run, _start(browser)).result()
        except BrowserGone as gone:
            if not browser.sandbox or "sandbox" not in str(gone).lower():
                raise _make_refusal(gone) from None
        else:
            return ""
        try:
            thread.submit(asyncio.run, _start(msgspec.structs.replace(browser, sandbox=False))).result()
        except BrowserGone as gone:
            raise _make_refusal(gone) from None
    return _REFUSED


async def _start(browser: Browser) -> None:
    process = BrowserProcess(browser)
    await process.start()
    await process.end()


def _make_refusal(gone: BrowserGone) -> BadInput:
    return BadInput(
        f"{gone}; mend that, name another browser with --browser PATH, or crawl with --render never"
    )


def _describe_surroundings(browser: Browser) -> str:
    """Return what decides whether a browser starts, as far as it can change."""
    found = Path(browser.program).stat()
    settings = [_read(path) for path in (*SANDBOX_SETTINGS, _BOOT)]
    parts = [browser.program, found.st_mtime_ns, found.st_size, os.geteuid(), os.uname().nodename]
    return " ".join(map(str, [*parts, browser.sandbox, browser.shared_memory, *settings]))


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return "-"


def _find_cache() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder) / "gossamer" / "browsers.json"


def _read_cache() -> dict[str, str]:
    try:
        return _DECODER.decode(_find_cache().read_bytes())
    except (OSError, RuntimeError, msgspec.MsgspecError):  # RuntimeError: a user without a home
        return {}


def _write_cache(known: dict[str, str]) -> None:
    newest = dict(list(known.items())[-_MOST_KNOWN:])
    with suppress(OSError, RuntimeError):
        path = _find_cache()
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(path) as new:
            new.write_bytes(msgspec.json.encode(newest))
