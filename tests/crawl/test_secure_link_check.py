"""`gossamer check` of a site over https: what its pages load by http is found, and links to http are no problem."""

import json
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
_HEAD = "<!DOCTYPE html><html lang=en><title>{}</title>"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class calls it
        """Write nothing."""


def make_certificate(folder: Path) -> Path:
    """Make a self-signed certificate of this machine's loopback address; return the file with key and certificate."""
    both = folder / "both.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=loopback",
    ]
    command += [
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        str(folder / "key.pem"),
        "-out",
        str(both),
    ]
    subprocess.run(command, check=True, capture_output=True)
    both.write_text(both.read_text() + (folder / "key.pem").read_text())
    return both


@contextmanager
def serve_folder(folder: Path, certificate: Path) -> Iterator[str]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: QuietHandler(*given, directory=str(folder))
    ) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"https://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_mixed_content_is_found_where_it_stands(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    mixed = '<p><img alt="x" src="http://127.0.0.1:9/a.png">\n<script src="http://127.0.0.1:9/b.js"></script>'
    (site / "index.html").write_text(
        f"{_HEAD.format('Start')}<a href=mixed.html>m</a> <a href=sound.html>s</a>"
    )
    (site / "mixed.html").write_text(f"{_HEAD.format('Mixed')}{mixed}")
    (site / "sound.html").write_text(f'{_HEAD.format("Sound")}<a href="http://127.0.0.1:9/page">a link</a>')
    with serve_folder(site, certificate := make_certificate(tmp_path)) as origin:
        command = [
            sys.executable,
            "-m",
            "gossamer.cli.main",
            "check",
            f"{origin}/",
            "--no-external",
            "--json",
        ]
        command += ["--allow-private", "127.0.0.0/8", "--web", str(tmp_path / "web")]
        ran = subprocess.run(
            command, capture_output=True, env=os.environ | {"SSL_CERT_FILE": str(certificate)}, check=False
        )
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert lines, ran.stderr
    found = {
        (one["target"], one["source"], one["line"]) for one in lines if one.get("problem") == "mixed-content"
    }
    assert found == {
        ("http://127.0.0.1:9/a.png", f"{origin}/mixed.html", 1),
        ("http://127.0.0.1:9/b.js", f"{origin}/mixed.html", 2),
    }
    assert {one["problem"] for one in lines[:-1]} == {"mixed-content"}
