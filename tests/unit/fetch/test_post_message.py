"""Messages are posted only to addresses that the guard allows, and failures are tried again."""

import socket
from typing import Any

import pytest

from gossamer.errors import BadInput
from gossamer.fetch import post_message as module
from gossamer.fetch.post_message import check_post_address, post_message


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "ftp://a.example/",
        "https://",
        "http://a:b:c/",
        "http://a.example/ b",
        "http://a.example:99999/",
    ],
)
def test_what_is_no_address_gets_a_sentence(url: str) -> None:
    with pytest.raises(BadInput, match="give it as https"):
        check_post_address(url)


def test_addresses_are_accepted() -> None:
    check_post_address("https://a.example:8443/hook?key=1")


def test_a_private_address_is_refused_without_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: Any) -> socket.socket:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket, "create_connection", connect)
    slept: list[float] = []
    why = post_message("http://127.0.0.1:9/", b"{}", "Gossamer", (), slept.append)
    assert "not public" in why
    assert slept == []


def test_a_closed_port_is_tried_three_times() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    slept: list[float] = []
    why = post_message(f"http://127.0.0.1:{port}/", b"{}", "Gossamer", ("127.0.0.0/8",), slept.append)
    assert "refused" in why.lower()
    assert slept == [1.0, 2.0]


@pytest.mark.parametrize(("status", "tries"), [(200, 1), (204, 1), (302, 1), (404, 1), (503, 3), (429, 3)])
def test_only_passing_trouble_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, status: int, tries: int
) -> None:
    asked: list[str] = []

    def post_once(url: str, *_: Any) -> int:
        asked.append(url)
        return status

    monkeypatch.setattr(module, "_post_once", post_once)
    why = post_message("http://a.example/", b"{}", "Gossamer", (), lambda _: None)
    assert len(asked) == tries
    assert why == ("" if status < 300 else f"the server answered with status {status}")
