"""A real Firefox with the packed extension, driven over Marionette, the protocol that Firefox itself speaks: no driver is needed."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.extension.reading_browser import find_free_port
from tools.pack_extension import FIREFOX_ID, pack_all

PROGRAMS = ("firefox-esr", "firefox")
_PATIENCE_S = 60.0
# Nothing but the tests asks anything of a network, and no page of a first start comes between.
_PREFERENCES = {
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.tabs.warnOnClose": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.disable_open_during_load": False,
    "dom.min_background_timeout_value": 4,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
    "xpinstall.signatures.required": False,
}
_IDENTITY = """const found = Services.prefs.getStringPref("extensions.webextensions.uuids", "{}"); return JSON.parse(found)[arguments[0]];"""
_CLOSED = """const find = (name) => [...document.documentElement.children].map((one) => one.openOrClosedShadowRoot)
  .filter(Boolean).map((root) => root.querySelector(name)?.textContent ?? "").filter(Boolean).join(" | "); return find(arguments[0]);"""


class Firefox:
    """One window of Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._left = b""
        self._read()  # its greeting
        self.command("WebDriver:NewSession", acceptInsecureCerts=True)
        self.origin = ""

    def command(self, name: str, **given: Any) -> Any:
        """Send a command of WebDriver, and return its value."""
        self._number += 1
        sent = json.dumps([0, self._number, name, given]).encode()
        self._connection.sendall(b"%d:%s" % (len(sent), sent))
        _, number, error, found = self._read()
        assert number == self._number
        assert error is None, error
        return found.get("value", found) if isinstance(found, dict) else found

    def install(self, package: Path) -> None:
        """Install the extension for this run; note where its pages are."""
        assert self.command("Addon:Install", path=str(package), temporary=True) == FIREFOX_ID
        self.command("Marionette:SetContext", value="chrome")
        self.origin = f"moz-extension://{self.run(_IDENTITY, FIREFOX_ID)}"
        self.command("Marionette:SetContext", value="content")

    def run(self, script: str, *given: Any, sandbox: str = "system") -> Any:
        """Run a script in the page, with rights that pages do not have; a promise is waited for."""
        return self.command(
            "WebDriver:ExecuteScript", script=script, args=list(given), sandbox=sandbox, newSandbox=True
        )

    def open(self, address: str) -> str:
        """Open a tab with a page, and return its handle."""
        handle: str = self.command("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        self.switch(handle)
        self.command("WebDriver:Navigate", url=address)
        return handle

    def switch(self, handle: str) -> None:
        """Go on in another tab."""
        self.command("WebDriver:SwitchToWindow", handle=handle, focus=True)

    def list_windows(self) -> list[str]:
        """Return the handles of all tabs."""
        found: list[str] = self.command("WebDriver:GetWindowHandles")
        return found

    def find(self, selector: str) -> str:
        """Wait for an element, and return its reference."""
        found = self.wait(
            lambda: self.command("WebDriver:FindElements", using="css selector", value=selector)
        )
        reference: str = next(iter(found[0].values()))
        return reference

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.command("WebDriver:ElementClick", id=self.find(selector))

    def click_if_there(self, selector: str) -> bool:
        """Click on an element if there is one; return whether it has gone by that."""
        found = self.command("WebDriver:FindElements", using="css selector", value=selector)
        if found:
            self.command("WebDriver:ElementClick", id=next(iter(found[0].values())))
            time.sleep(0.5)
        return not found

    def hover(self, selector: str) -> None:
        """Rest the pointer on an element, as a person does."""
        origin = {"element-6066-11e4-a52e-4f735466cecf": self.find(selector)}
        moves = [{"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": origin}]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self.command("WebDriver:PerformActions", actions=[pointer])

    def read_text(self, selector: str) -> str:
        """Return the text of an element; "" if there is none, or it is hidden."""
        script = "const found = document.querySelector(arguments[0]); return found && found.checkVisibility() ? found.innerText : '';"
        return str(self.run(script, selector))

    def read_closed(self, selector: str) -> str:
        """Return the text of what the extension has added to the page, which its scripts cannot read."""
        return str(self.run(_CLOSED, selector))

    def wait(self, read: Callable[[], Any], right: Callable[[Any], bool] = bool) -> Any:
        """Read until it is right."""
        ends_s = time.monotonic() + _PATIENCE_S
        while not right(found := read()) and time.monotonic() < ends_s:
            time.sleep(0.05)
        assert right(found), f"still wrong: {found!r}"
        return found

    def _read(self) -> Any:
        while b":" not in self._left:
            self._left += self._receive()
        size, _, rest = self._left.partition(b":")
        while len(rest) < int(size):
            rest += self._receive()
        self._left = rest[int(size) :]
        return json.loads(rest[: int(size)])

    def _receive(self) -> bytes:
        data = self._connection.recv(65_536)
        assert data, "Firefox has gone"
        return data


@contextmanager
def open_firefox(folder: Path) -> Iterator[Firefox]:
    """Start Firefox with the packed extension and a profile of its own."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("there is no firefox: apt-get install firefox-esr")
    (profile := folder / "firefox-profile").mkdir()
    port = find_free_port()
    lines = {**_PREFERENCES, "marionette.port": port}
    written = "".join(
        f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in lines.items()
    )
    (profile / "user.js").write_text(written)
    package = pack_all(folder / "packed")[1]
    command = [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
    with subprocess.Popen(
        [*command, "--profile", str(profile)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            with closing(_connect(port)) as connection:
                firefox = Firefox(connection)
                firefox.install(package)
                yield firefox
        finally:
            running.terminate()
    shutil.rmtree(profile, ignore_errors=True)


def _connect(port: int) -> socket.socket:
    ends_s = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S)
        except ConnectionRefusedError:
            assert time.monotonic() < ends_s, "Firefox does not answer"
            time.sleep(0.1)
