"""Sites that are read through the proxy: one over HTTP, which was crawled, and one over HTTPS."""

import gzip
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.crawl.harness import Toy

from gossamer.lab.server.answer import LabAnswer

HOST = "127.9.8.1"
HTML = ("Content-Type", "text/html; charset=utf-8")
BLOB = bytes(range(256)) * 40_000
SENTENCE = "Joseph Haydn wrote more than a hundred symphonies for the princes at Eisenstadt."
START = """<!doctype html><html lang=en><head><title>Start</title></head><body><h1>Start</h1>
<p><a id=haydn href="/haydn">Haydn</a></p><p><a id=gone href="/gone">Gone</a></p><p><a id=moved href="/moved">Moved</a></p>
<p><a id=strange href="http://unknown.example/">Unknown</a></p></body></html>"""
HAYDN = f"<!doctype html><html lang=en><head><title>Haydn</title></head><body><h1>Haydn</h1><p>{SENTENCE}</p></body></html>"
# It does what a page can: it reads what it is given, frames the cards itself, and asks for data with every header that it may send.
HOSTILE = """<!doctype html><html><head><title>Hostile</title><script>
const found = window.found = [];
const note = (name, value) => found.push(`${name}: ${value}`);
addEventListener("message", (event) => note("message", JSON.stringify(event.data)));
addEventListener("load", async () => {
  const own = "http://cards.gossamer.internal";
  for (const [path, options] of [["/card?url=HAYDN", {}], ["/card?url=HAYDN", {headers: {"X-Gossamer-Frame": "1"}}], ["/frame", {}],
      ["/marks", {method: "POST", body: '{"page":"http://a.example/","links":["HAYDN"]}'}], ["/card?url=HAYDN", {mode: "no-cors"}]])
    try { note("read", (await (await fetch(own + path, options)).text())); } catch (error) { note("refused", error.name); }
  try { note("own", await (await fetch("/card?url=HAYDN", {headers: {"X-Gossamer-Frame": "1"}})).status); } catch (error) { note("own", error.name); }
  for (const frame of document.querySelectorAll("iframe"))
    try { note("frame", frame.contentDocument.body.textContent); } catch (error) { note("frame refused", error.name); }
  note("script", await (await fetch(performance.getEntriesByType("resource").find((one) => one.name.includes("gossamer-proxy")).name)).text());
  window.done = true;
});
</script></head><body><a href="/haydn">Haydn</a><iframe src="http://cards.gossamer.internal/frame"></iframe></body></html>"""


def make_world() -> Toy:
    """Return the pages of the HTTP site."""
    page = START.encode()
    return Toy(
        {
            HOST: {
                "/": LabAnswer(200, (HTML,), page),
                "/haydn": LabAnswer(200, (HTML, ("ETag", '"strong"')), HAYDN.encode()),
                "/gone": LabAnswer(410, (HTML,), b"<p>gone"),
                "/moved": LabAnswer(301, (("Location", "/haydn"),), b""),
                "/packed": LabAnswer(200, (HTML, ("Content-Encoding", "gzip")), gzip.compress(page * 200)),
                "/closed": LabAnswer(200, (HTML, ("Content-Security-Policy", "default-src 'self'")), page),
                "/nonce": LabAnswer(
                    200,
                    (
                        HTML,
                        ("ETag", '"a"'),
                        ("Content-Security-Policy", "script-src 'nonce-abc'; style-src 'none'"),
                    ),
                    page,
                ),
                "/still": LabAnswer(200, (HTML, ("Cache-Control", "max-age=9, no-transform")), page),
                "/download": LabAnswer(200, (HTML, ("Content-Disposition", "attachment")), page),
                "/signed": LabAnswer(200, (HTML, ("Content-Digest", "sha-256=:YQ==:")), page),
                "/blob": LabAnswer(200, (("Content-Type", "application/octet-stream"),), BLOB),
                "/script.js": LabAnswer(200, (("Content-Type", "text/javascript"),), b"window.ran = true;"),
                "/hostile": LabAnswer(200, (HTML,), HOSTILE.encode()),
            }
        }
    )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send(START.encode())

    def do_POST(self) -> None:
        given = self.rfile.read(int(self.headers.get("content-length", "0")))
        self._send(b"<!doctype html><title>Posted</title>" + given)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class calls it
        """Write nothing."""


@contextmanager
def serve_securely(folder: Path) -> Iterator[tuple[str, Path]]:
    """Serve a page over HTTPS; yield its origin and the file with its certificate."""
    certificate = folder / "site.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=site"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-out", str(certificate)]
    subprocess.run([*command, "-keyout", str(folder / "site.key")], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, folder / "site.key")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"https://localhost:{server.server_port}", certificate
        server.shutdown()
        thread.join()
