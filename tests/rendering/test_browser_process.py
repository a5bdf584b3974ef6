"""A browser that cannot be started leaves nothing behind: no process, no open file, no folder."""

import subprocess
import sys

import pytest
from tests.rendering.harness import need_browser

pytestmark = pytest.mark.slow

_BEGIN = """
import asyncio, gc, os, resource, sys, tempfile
from pathlib import Path
from gossamer.fetch.browser.browser_process import BrowserProcess
from gossamer.fetch.browser.devtools import BrowserGone
from gossamer.fetch.browser.find_browser import find_browser

browser = find_browser()

def list_open():
    return sorted(name for name in os.listdir("/proc/self/fd"))

def list_left():
    own = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [*own, *Path(tempfile.gettempdir()).glob(f"gossamer-browser-{os.getpid()}-*")]

async def check(start):
    loop = asyncio.get_running_loop()
    before = list_open()
    ended = await start()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()
    assert not list_left(), list_left()
    assert list_open() == before, (before, list_open())
    return ended
"""
_FEW_FILES = """
async def start_with(room):
    used = len(list_open()) - 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + room, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    process = BrowserProcess(browser)
    try:
        await process.start()
    except BrowserGone as gone:
        if "did not start" in str(gone):  # the browser has no more files than its crawl
            return "ended"
        assert "could not be started: Too many open files" in str(gone), gone
        return "gone"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    await process.end()
    return "started"

async def run():
    return [await check(lambda: start_with(room)) for room in range(1, 16)]

ended = asyncio.run(run())
assert ended.count("gone") >= 5, ended
"""
_CANCELLED = """
async def cancel_after(wait_s):
    task = asyncio.create_task(BrowserProcess(browser).start())
    await asyncio.sleep(wait_s)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        return "cancelled"
    return "started"

async def run():
    return [await check(lambda: cancel_after(wait_s)) for wait_s in (0.0, 0.001, 0.005, 0.02, 0.05)]

ended = asyncio.run(run())
assert ended == ["cancelled"] * 5, ended
"""


@pytest.mark.parametrize("program", [_FEW_FILES, _CANCELLED])
def test_a_start_that_fails_leaves_nothing_behind(program: str) -> None:
    need_browser()
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", _BEGIN + program],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert "Warning" not in ran.stderr
