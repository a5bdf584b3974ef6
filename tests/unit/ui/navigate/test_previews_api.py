"""Previews through a real server: turned on by an option, and ended when the browser closes its connection."""

import socket
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.ui.navigate.running_server import run_server

pytestmark = pytest.mark.slow


def test_previews_are_off_unless_they_are_turned_on(library: Path, tmp_path: Path) -> None:
    with run_server(library, tmp_path / "config") as server:
        assert "previews" not in server.ask("GET", "status")[1]["features"]
        status, answer = server.ask("POST", "previews", {"url": "http://127.0.0.1/"})
    assert (status, "gossamer serve --previews" in answer["error"]) == (404, True)


def test_a_browser_that_goes_away_ends_its_preview(library: Path, tmp_path: Path) -> None:
    # The web's task may crawl loopback addresses, so its robot may ask this server, which never answers.
    with socket.create_server(("127.9.13.1", 0)) as silent:
        port = silent.getsockname()[1]
        with run_server(library, tmp_path / "config", "--previews") as server:
            assert "previews" in server.ask("GET", "status")[1]["features"]
            with closing(server.connect()) as connection:
                server.send(connection, "POST", "previews", {"url": f"http://127.9.13.1:{port}/page"})
                silent.settimeout(30)
                asked, _ = silent.accept()
                assert b"GET /robots.txt" in asked.recv(65_536)
            with asked:
                asked.settimeout(5)  # it would wait for an answer for ten seconds
                assert asked.recv(65_536) == b""


def test_addresses_that_the_tasks_do_not_allow_are_refused(library: Path, tmp_path: Path) -> None:
    with run_server(library, tmp_path / "config", "--previews") as server:
        status, answer = server.ask("POST", "previews", {"url": "http://10.0.0.1/admin"})
        assert (status, answer["card"]["failure"]) == (200, "private address")
        assert answer["note"].startswith("Its address is not public")
        assert server.ask("POST", "previews", {"url": "file:///etc/passwd"})[1]["card"]["title"] == ""
        assert server.ask("POST", "previews", {"url": "no address"})[0] in (200, 400)
