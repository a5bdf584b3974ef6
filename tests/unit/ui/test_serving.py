import socket
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from gossamer.errors import BadInput
from gossamer.ui.serving import Order, serve


def test_pages_are_served_until_the_time_is_over(library: Path) -> None:
    heard: list[str] = []
    answers: list[bytes] = []

    def look(address: str) -> None:
        heard.append(address)
        looking = threading.Thread(target=lambda: answers.append(urlopen(address, timeout=20).read()))  # noqa: S310
        looking.start()

    serve(Order(library, port=0, ends_s=0.7), look)
    assert heard[0].startswith("http://127.0.0.1:")
    assert b"pages of music.web" in answers[0]


def test_an_address_that_is_taken_is_said_in_a_sentence(library: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="--port 0"):
            serve(Order(library, port=taken.getsockname()[1]), print)


def test_what_is_no_address_is_said_in_a_sentence(library: Path) -> None:
    with pytest.raises(BadInput, match="no address of this machine"):
        serve(Order(library, host="no.such.host.invalid", token="x" * 16), print)


def test_a_folder_without_a_web_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no web at"):
        serve(Order(tmp_path / "none"), print)
