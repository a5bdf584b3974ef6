"""A small site whose pages try what a browser does with them; served on loopback by threads of the test.

Pages that need JavaScript, and that attack a browser, are in the lab: `gossamer.lab.script_options.Scripted`.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_APP = """
fetch('/api' + location.pathname).then(r => r.json()).then(items => {
  const root = document.getElementById('root');
  const title = document.createElement('h1');
  title.textContent = 'Gadgets of ' + location.pathname;
  root.append(title);
  for (const one of items) { const a = document.createElement('a'); a.href = one; a.textContent = 'Gadget ' + one; root.append(a); }
});
"""
_SHELL = "<!doctype html><title>Shell {0}</title><div id=root></div><script src=/app.js></script>"
_WORDS = " ".join(
    f"The {word} of the article stands in its first response."
    for word in ["text", "body", "page", "whole"] * 10
)
PAGES: dict[str, str] = {
    "/article": f"<!doctype html><title>Article</title><p>{_WORDS}</p><script src=/tracker.js></script>",
    "/slow": "<!doctype html><title>Slow</title><div id=a></div><script>fetch('/late').then(r=>r.text()).then(t=>{"
    "document.getElementById('a').innerHTML='<a href=/came-late>'+t+'</a>'})</script>",
    "/hang": "<!doctype html><title>Hang</title><a href=/hung>h</a><script>while(true){}</script>",
    "/away": "<!doctype html><title>Away</title><p>You are being redirected</p><script>location.href='/target'</script>",
    "/cookie": "<!doctype html><title>Cookie</title><p id=p></p><script>document.getElementById('p').textContent="
    "'had:'+document.cookie+localStorage.getItem('k')+sessionStorage.getItem('k')+window.name;document.cookie='k=v';"
    "localStorage.setItem('k','v');sessionStorage.setItem('k','v');window.name='v'</script>",
    "/tricks": "<!doctype html><title>Tricks</title><a href=/true>t</a><script>document.getElementsByTagName=()=>{throw 1};"
    "Object.defineProperty(Element.prototype,'outerHTML',{get(){return 'LIES'}})</script>",
    "/post": "<!doctype html><title>Post</title><p id=p>x</p><script>fetch('/write',{method:'POST',body:'x'}).catch(()=>{"
    "document.getElementById('p').textContent='refused'})</script>",
    "/worker": "<!doctype html><title>Worker</title><p id=p></p><script>navigator.serviceWorker.register('/sw.js').catch(()=>{"
    "document.getElementById('p').textContent+='no service worker'})</script>",
}
FILES: dict[str, tuple[str, bytes]] = {
    "/app.js": ("text/javascript", _APP.encode()),
    "/tracker.js": ("text/javascript", b"window.tracked = true"),
    "/sw.js": ("text/javascript", b"self.addEventListener('fetch', () => {})"),
    "/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /secret\n"),
}


class ScriptedSite:
    """The site: what it serves, and which requests it received."""

    def __init__(self, address: str = "127.0.0.2", pages: int = 13) -> None:
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self._pages = pages
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                site.requests.append((self.command, self.path, dict(self.headers)))
                status, headers, body = site.answer(self.path)
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args: Any) -> None:
                """Say nothing: browsers and clients that are killed break their connections off."""

        self._server = Server((address, 0), Handler)
        self.address = address
        self.port = self._server.server_port
        self.url = f"http://{address}:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return status, headers and body of a path."""
        html = [("Content-Type", "text/html; charset=utf-8")]
        plain = path.partition("?")[0]
        if plain in PAGES:
            return 200, html, PAGES[plain].encode()
        if plain in FILES:
            kind, body = FILES[plain]
            return 200, [("Content-Type", kind)], body
        if plain == "/" or plain.startswith("/shell/"):
            return 200, html, _SHELL.format(plain).encode()
        if plain.startswith("/api/"):
            here = int(plain.rpartition("/")[2] or 0) if plain != "/api/" else 0
            items = [f"/shell/{3 * here + i}" for i in (1, 2, 3) if 3 * here + i < self._pages]
            return 200, [("Content-Type", "application/json")], json.dumps(items).encode()
        if plain == "/late":
            time.sleep(0.7)
            return 200, [("Content-Type", "text/plain")], b"late"
        return 404, html, b"<title>not here</title>"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serve_scripts(address: str = "127.0.0.2") -> Iterator[ScriptedSite]:
    """Serve the site while the block runs."""
    site = ScriptedSite(address)
    try:
        yield site
    finally:
        site.close()
