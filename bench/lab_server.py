"""Measure the processor time of one request: the lab's server, `http.server`, and uvicorn with Starlette.

Each server runs in its own process and sends the same page of 10 kB. A client sends requests over 16 connections that
stay open. Rounds alternate between the servers, and the best round of each counts. For comparison, a crawl of a lab
world measures the processor time of the crawler for each page, and writing the pages of a world is measured, too.

    python bench/lab_server.py
"""

import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from gossamer.lab import World, serving
from gossamer.lab.server.answer import LabAnswer, LabRequest

REQUESTS, CONNECTIONS, ROUNDS = 8_000, 16, 5
CRAWLED_PAGES = 1_500
BODY = b"<p>" + b"A page of ten kilobytes. " * 410
HEADERS = (("Content-Type", "text/html; charset=UTF-8"),)
REQUEST = b"GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n"
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class OnePage:
    """A world of one page, which the server may cache or not."""

    def __init__(self, fresh_until_s: float) -> None:
        self._page = LabAnswer(200, HEADERS, BODY, fresh_until_s=fresh_until_s)

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - the protocol of worlds
        """Return the page."""
        return self._page

    def hosts(self) -> list[str]:
        """Return the only host."""
        return ["127.0.0.1"]


def serve_lab(fresh_until_s: float) -> None:
    """Serve with the lab's server; print the port."""
    with serving(OnePage(fresh_until_s)) as lab:
        print(lab.port, flush=True)
        time.sleep(3600)


def serve_standard_library() -> None:
    """Serve with the threading server of the standard library; print the port."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body are two writes, which would wait 40 ms for each other

        def do_GET(self) -> None:
            self.send_response(200)
            for name, value in HEADERS:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(BODY)))
            self.end_headers()
            self.wfile.write(BODY)

        def log_message(self, *arguments: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def serve_uvicorn() -> None:
    """Serve with uvicorn and Starlette; print the port."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    async def page(request: Request) -> Response:  # noqa: ARG001 - Starlette's signature
        return Response(BODY, headers=dict(HEADERS))

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = Starlette(routes=[Route("/page", page)])
    config = uvicorn.Config(app, log_level="error", access_log=False, ws="none")
    uvicorn.Server(config).run(sockets=[listener])


SERVERS = {
    "lab, reply cached": "serve_lab(float('inf'))",
    "lab, not cached": "serve_lab(0.0)",
    "uvicorn and Starlette": "serve_uvicorn()",
    "http.server": "serve_standard_library()",
}


def read_cpu_s(pid: int) -> float:
    """Return the processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def receive(line: socket.socket) -> None:
    """Read one answer."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += line.recv(1 << 16)
    left = len(BODY) - (len(received) - received.index(b"\r\n\r\n") - 4)
    while left:
        left -= len(line.recv(1 << 16))


def measure_request_s(pid: int, port: int) -> float:
    """Return the processor time of the server for one request."""
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(CONNECTIONS)
        ]
        before_s = read_cpu_s(pid)
        for _ in range(REQUESTS // CONNECTIONS):
            for line in lines:
                line.sendall(REQUEST)
            for line in lines:
                receive(line)
        return (read_cpu_s(pid) - before_s) / REQUESTS


def measure_crawl_s() -> float:
    """Return the processor time of a crawl for one page, without the start of the program."""
    with (
        serving(World(seed=7, hosts=20, pages=CRAWLED_PAGES)) as lab,
        tempfile.TemporaryDirectory() as folder,
    ):
        options = ["--scope", "any", "--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"]
        used_s = []
        for pages in (1, CRAWLED_PAGES):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [str(Path(sys.executable).with_name("gossamer")), "crawl", *lab.seeds, *options]
            subprocess.run(
                [*command, "--pages", str(pages), "--web", f"{folder}/{pages}.web", "--json"],
                check=True,
                capture_output=True,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        fetched = len(lab.log)
        return (used_s[1] - used_s[0]) / fetched


def measure_writing_s() -> float:
    """Return the processor time to write one page of a lab world, without sending it."""
    world = World(seed=7, hosts=20, pages=CRAWLED_PAGES)
    targets = [urlsplit(world.url(number)) for number in range(CRAWLED_PAGES)]
    requests = [LabRequest("GET", url.netloc, url.path + (url.query and f"?{url.query}")) for url in targets]
    world.answer(requests[0], 0.0)  # loads the words
    before_s = time.process_time()
    for request in requests:
        world.answer(request, 0.0)
    return (time.process_time() - before_s) / len(requests)


def main() -> None:
    """Print the processor time of one request for each server, and of one page for the crawler."""
    best = dict.fromkeys(SERVERS, float("inf"))
    with ExitStack() as stack:
        running = {}
        for name, call in SERVERS.items():
            command = [sys.executable, "-c", f"import lab_server; lab_server.{call}"]
            process = stack.enter_context(
                subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            assert process.stdout is not None
            running[name] = process.pid, int(process.stdout.readline())
        for _ in range(ROUNDS):
            for name, (pid, port) in running.items():
                best[name] = min(best[name], measure_request_s(pid, port))
    for name, cost_s in best.items():
        print(f"{name:24}{cost_s * 1e6:8.0f} µs")
    print(f"{'lab, writing one page':24}{measure_writing_s() * 1e6:8.0f} µs")
    print(f"{'crawler, one page':24}{measure_crawl_s() * 1e6:8.0f} µs")


if __name__ == "__main__":
    main()
