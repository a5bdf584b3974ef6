"""Starts a Chromium process that cannot connect anywhere, and ends it with everything that belongs to it."""

import asyncio
import os
import re
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from gossamer.errors import BadInput
from gossamer.fetch.browser.browser_folder import MESSAGES, BrowserFolder
from gossamer.fetch.browser.devtools import BrowserGone, DevTools
from gossamer.fetch.browser.find_browser import Browser

LEAST_VERSION = 120
"""Chromium 120 is of December 2023; older ones lack parts of the protocol."""
_START_S = 60.0
# Port 9 of this machine is "discard": nothing listens there, and a program that does hears no browser either, since
# every request is answered before it reaches the network.
_NO_NETWORK = (
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--dns-prefetch-disable",
    "--no-service-autorun",
)
_FEATURES_OFF = (
    *(
        "Translate",
        "OptimizationHints",
        "MediaRouter",
        "DialMediaRouteProvider",
        "InterestFeedContentSuggestions",
    ),
    *("AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "IsolateOrigins"),
    *("site-per-process", "Prerender2", "SpeculationRulesPrefetchFuture", "WebTransport", "DnsOverHttps"),
    *("PaintHolding", "BackForwardCache", "AcceptCHFrame", "LensOverlay", "HttpsUpgrades"),
)
_QUIET = (
    "--headless=new",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-notifications",
    "--disable-speech-api",
    "--disable-site-isolation-trials",
    "--disable-search-engine-choice-screen",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    "--hide-scrollbars",
    "--mute-audio",
    "--metrics-recording-only",
    "--no-zygote-sandbox-warning",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
    "--log-level=3",
    f"--disable-features={','.join(_FEATURES_OFF)}",
)
# Chromium reads commands from descriptor 3 and writes to 4.
_START = 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null'
# Outlives a crawl that is killed: when its end of the pipe closes, the browser is killed and its folder removed. With -s: the
# shell of Debian reads `-KILL --` as a wrong number.
_WATCH = """read -r word
if [ "$word" != ended ]; then kill -s KILL -- "-$1" 2>/dev/null; sleep 0.1; fi
rm -rf -- "$2"
[ -e "$2" ] && sleep 1 && rm -rf -- "$2"
"""


class BrowserProcess:
    """One Chromium process, with the pipe to it and the folder that it writes to."""

    def __init__(self, browser: Browser, heap_mb: int = 512) -> None:
        self._browser = browser
        self._heap_mb = heap_mb
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        self._folder: BrowserFolder | None = None
        self.tools = DevTools()
        self.version = ""
        self.began_s = 0.0

    @property
    def pid(self) -> int:
        """Its process id; 0 before it starts."""
        return self._process.pid if self._process is not None else 0

    @property
    def is_alive(self) -> bool:
        """Whether it runs and can be spoken to."""
        return self.tools.is_open and self._process is not None and self._process.poll() is None

    async def start(self) -> None:
        """Start it; raise BadInput if it cannot run here, and BrowserGone if it does not answer. Then nothing of it is left."""
        try:
            await self._launch()
            await self._greet()
        except OSError as error:
            await self.end()
            raise BrowserGone(
                f"the browser {self._browser.program} could not be started: {error.strerror or error}"
            ) from None
        except BaseException:  # also if the start is cancelled
            await self.end()
            raise

    async def _launch(self) -> None:
        self._folder = BrowserFolder()
        self.began_s = time.monotonic()
        loop = asyncio.get_running_loop()
        with ExitStack() as ends, ExitStack() as ours:
            for_it, commands = _open_pipe(ends, ours)
            answers, from_it = _open_pipe(ours, ends)
            reader, _ = await loop.connect_read_pipe(lambda: self.tools, answers)
            ours.callback(reader.close)
            writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, commands)
            self.tools.use_writer(writer)
            ours.callback(self.tools.close, "the browser was not started")
            messages = ends.enter_context((self._folder.path / MESSAGES).open("wb"))
            self._process = subprocess.Popen(  # noqa: S603 - a program that the user chose
                ["/bin/sh", "-c", _START, "sh", self._browser.program, *self._list_options()],
                stdin=for_it,
                stdout=from_it,
                stderr=messages,
                start_new_session=True,
                cwd=self._folder.path,
                env=_make_environment(self._folder.path),
            )
            self._watch = subprocess.Popen(  # noqa: S603
                ["/bin/sh", "-c", _WATCH, "sh", str(self._process.pid), str(self._folder.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
            ours.pop_all()  # the transports close them from now on

    async def _greet(self) -> None:
        """Ask for its version, which is its first sign of life."""
        try:
            found = await self.tools.send("Browser.getVersion", within_s=_START_S)
        except BrowserGone:
            raise BrowserGone(
                f"the browser {self._browser.program} did not start: {self._read_messages()}"
            ) from None
        self.version = str(found.get("product", ""))
        number = re.search(r"/(\d+)\.", self.version)
        if number is None or int(number[1]) < LEAST_VERSION:
            raise BadInput(
                f"{self._browser.program} is {self.version or 'no Chromium'}; rendering needs Chromium {LEAST_VERSION} or later: "
                "install one, or name another with --browser PATH"
            )

    def _read_messages(self) -> str:
        """Return the last line that it wrote before it ended."""
        try:
            said = (self._folder.path / MESSAGES).read_bytes() if self._folder is not None else b""
        except OSError:
            return "it said nothing"
        lines = said[-4_000:].decode("utf-8", "replace").splitlines()
        told = [line.strip() for line in lines if "FATAL" in line or "ERROR" in line or "rror" in line]
        last = (told or [line for line in lines if line.strip()] or ["it said nothing"])[-1]
        return "".join(one for one in last if one.isprintable())[:300]

    def _list_options(self) -> list[str]:
        options = [
            *_NO_NETWORK,
            *_QUIET,
            "--remote-debugging-pipe",
            f"--user-data-dir={self._folder.path if self._folder is not None else ''}",
            f"--js-flags=--max-old-space-size={self._heap_mb}",
        ]
        if not self._browser.sandbox:
            options.append("--no-sandbox")
        if not self._browser.shared_memory:
            options.append("--disable-dev-shm-usage")
        return options

    def measure_memory(self) -> int:
        """Return how many bytes all its processes have in memory; 0 where the system does not say."""
        return sum(map(_read_memory, _list_group(self.pid))) if self.pid else 0

    async def end(self) -> None:
        """Kill the browser with all its processes, and remove what it wrote."""
        self.tools.close("the browser was ended")
        process, watch, self._watch = self._process, self._watch, None
        folder, self._folder = self._folder, None
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        try:
            if process is not None:
                await _wait_for(process)
        finally:
            if watch is not None and watch.stdin is not None:
                with suppress(OSError):
                    watch.stdin.write(b"ended\n")
                    watch.stdin.close()
            if folder is not None:
                folder.remove()
        if watch is not None:
            await _wait_for(watch)


def _open_pipe(first: ExitStack, second: ExitStack) -> tuple[BinaryIO, BinaryIO]:
    """Open a pipe to read from the first end what is written to the second."""
    to_read, to_write = os.pipe()
    return (
        first.enter_context(os.fdopen(to_read, "rb", 0)),
        second.enter_context(os.fdopen(to_write, "wb", 0)),
    )


async def _wait_for(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process that was told to end is gone; without a thread, since it takes milliseconds."""
    until_s = time.monotonic() + 10.0
    while process.poll() is None and time.monotonic() < until_s:
        await asyncio.sleep(0.005)


def _make_environment(folder: Path) -> dict[str, str]:
    """Return its surroundings: nothing of the user's configuration, credentials or proxies."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH")
        if name in os.environ
    }
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder)}


def _list_group(leader: int) -> list[int]:
    """Return the processes of a process group."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            rest = (path / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if len(rest) > 2 and int(rest[2]) == leader:
            found.append(int(path.name))
    return found


def _read_memory(pid: int) -> int:
    """Return how many bytes a process has in memory for itself: shared ones count once for all."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_bytes().split()
        return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0
