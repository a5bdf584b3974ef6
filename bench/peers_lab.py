"""A web for the comparison of crawlers, whose truth is known: which pages there are, and what a polite robot leaves alone.

    python bench/peers_lab.py PORT HOSTS PAGES LOG

Each host has so many pages in a tree, robots.txt forbids /private/, and every page links to a forbidden page. Every tenth
page is found through a redirect, and every twentieth answers 503 with `Retry-After: 1` the first time. One host asks for a
Crawl-delay of one second. Each request is a line of the log: when it arrived, when its answer was sent, host, path, status.
"""

import asyncio
import contextlib
import json
import random
import sys
import time
from pathlib import Path

LINKS = 5
CRAWL_DELAY_S = 1.0
_SYLLABLES = ("ba", "den", "fo", "gil", "ha", "kem", "lo", "mar", "ne", "pul", "ri", "sta", "to", "ver")
_WORDS = [first + second + third for first in _SYLLABLES for second in _SYLLABLES for third in ("", "n", "s")]


def name_host(number: int) -> str:
    """Return the address of a host."""
    return f"127.0.1.{number + 1}"


def list_pages(hosts: int, pages: int) -> set[str]:
    """Return the truth: host and path of every page that a robot may fetch."""
    return {f"{name_host(host)}/{page}.html" for host in range(hosts) for page in range(pages)}


def is_redirected(page: int) -> bool:
    """Say whether links to a page lead to a redirect."""
    return page % 10 == 9


def is_troubled(page: int) -> bool:
    """Say whether a page answers 503 the first time."""
    return page % 20 == 11


class PeersLab:
    """Serves the web, and writes down who asked for what."""

    def __init__(self, port: int, hosts: int, pages: int, log: Path) -> None:
        self._port, self._hosts, self._pages = port, hosts, pages
        self._log = log.open("a", buffering=1)
        self._refused: set[tuple[str, str]] = set()

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        host = writer.get_extra_info("sockname")[0]
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                arrived_s = time.time()
                method, path = head.decode("latin-1").split(" ", 2)[:2]
                status, headers, body = self._answer(host, path)
                lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
                writer.write("\r\n".join(lines).encode() + (b"" if method == "HEAD" else body))
                await writer.drain()
                self._log.write(json.dumps([arrived_s, time.time(), host, path, int(status[:3])]) + "\n")
        writer.close()

    def _answer(self, host: str, path: str) -> tuple[str, list[str], bytes]:
        html = ["Content-Type: text/html; charset=utf-8"]
        if path == "/robots.txt":
            delay = f"Crawl-delay: {CRAWL_DELAY_S:g}\n" if host == name_host(0) else ""
            return (
                "200 OK",
                ["Content-Type: text/plain"],
                f"User-agent: *\n{delay}Disallow: /private/\n".encode(),
            )
        if path.startswith("/moved/"):
            return "301 Moved Permanently", [f"Location: /{path.removeprefix('/moved/')}"], b""
        if path.startswith("/private/"):
            return "200 OK", html, b"<title>private</title>"
        name = path.removeprefix("/").removesuffix(".html")
        page = int(name) if name.isdigit() else -1
        if not 0 <= page < self._pages:
            return "404 Not Found", html, b"not here"
        if is_troubled(page) and (host, path) not in self._refused:
            self._refused.add((host, path))
            return "503 Service Unavailable", ["Retry-After: 1"], b""
        return "200 OK", html, self._make_page(host, page)

    def _make_page(self, host: str, page: int) -> bytes:
        # A text of its own: many numbered pages with the same text are taken for a trap.
        text = " ".join(random.Random(f"{host}/{page}").choices(_WORDS, k=300))
        first = LINKS * page + 1
        below = [each for each in range(first, first + LINKS) if each < self._pages]
        links = "".join(
            f'<a href="{"/moved" if is_redirected(each) else ""}/{each}.html">{each}</a>\n' for each in below
        )
        return f'<title>page {page}</title><p>{text}</p>{links}<a href="/private/{page}.html">x</a>'.encode()


async def serve(port: int, hosts: int, pages: int, log: Path) -> None:
    """Serve until the process is ended."""
    lab = PeersLab(port, hosts, pages, log)
    for host in range(hosts):
        await asyncio.start_server(lab.attend, name_host(host), port, backlog=512)
    print("ready", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Serve as the command line says."""
    port, hosts, pages = map(int, sys.argv[1:4])
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(port, hosts, pages, Path(sys.argv[4])))


if __name__ == "__main__":
    main()
