import signal
import socket
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from gossamer.errors import BadInput
from gossamer.ui.run_server import ServerOptions, serve


def test_pages_are_served_until_a_signal(library: Path) -> None:
    addresses: list[str] = []
    answers: list[bytes] = []

    def request_page(address: str) -> None:
        try:
            answers.append(urlopen(address, timeout=200).read())  # noqa: S310 - our own server
        finally:
            signal.raise_signal(signal.SIGTERM)

    def on_start(address: str) -> None:
        addresses.append(address)
        threading.Thread(target=request_page, args=(address,)).start()

    serve(ServerOptions(library, port=0), on_start)
    assert addresses[0].startswith("http://127.0.0.1:")
    assert b"pages of music.web" in answers[0]


def test_the_server_stops_after_the_given_time(library: Path) -> None:
    addresses: list[str] = []
    serve(ServerOptions(library, port=0, ends_s=0.01), addresses.append)
    assert len(addresses) == 1


def test_a_port_in_use_is_refused(library: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="--port 0"):
            serve(ServerOptions(library, port=taken.getsockname()[1]), print)


def test_an_unknown_host_is_refused(library: Path) -> None:
    with pytest.raises(BadInput, match="not an address of this machine"):
        serve(ServerOptions(library, host="no.such.host.invalid", token="x" * 16), print)


def test_a_folder_without_a_web_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no web at"):
        serve(ServerOptions(tmp_path / "none"), print)
