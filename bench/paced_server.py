"""A web server for measurements of pace: pages of a chosen size, answers after a chosen time, and a count of what was sent.

    python bench/paced_server.py PORT HOSTS PAGES BYTES [--delay S] [--slots N] [--failing SHARE]

It listens at 127.0.0.1 and the next addresses, one for each host. Each page links to those that follow. `--slots` is how
many requests it works on at the same time; further ones wait, as at a server whose workers are busy. The hosts of
`--failing` accept connections and answer nothing. Every tenth of a second it prints a line: the time, and the bytes that
it has sent and the pages that it has answered since it began.
"""

import argparse
import asyncio
import contextlib
import socket
import time

LINKS = 8
LOOK_S = 0.1
_BUFFER_BYTES = 16_384


class PacedServer:
    """Serves pages, and counts what it sends."""

    def __init__(self, pages: int, page_bytes: int, delay_s: float, slots: int) -> None:
        self._pages, self._bytes, self._delay_s = pages, page_bytes, delay_s
        self._slots = asyncio.Semaphore(slots)
        self.sent_bytes = 0
        self.answered = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        writer.transport.set_write_buffer_limits(high=0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                async with self._slots:
                    if self._delay_s:
                        await asyncio.sleep(self._delay_s)
                    await self._answer(head.split(b" ", 2)[1].decode("ascii", "replace"), writer)
        writer.close()

    async def fall_silent(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept a connection and answer nothing."""
        with contextlib.suppress(OSError):
            await reader.read()
        writer.close()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> None:
        name = path.removeprefix("/").removesuffix(".html")
        number = int(name) if name.isdigit() else -1
        found = 0 <= number < self._pages
        body = self._make_page(number) if found else b"not here"
        status = "200 OK" if found else "404 Not Found"
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        whole = memoryview(head + body)
        for begin in range(0, len(whole), _BUFFER_BYTES):
            piece = whole[begin : begin + _BUFFER_BYTES]
            writer.write(piece)
            await writer.drain()
            self.sent_bytes += len(piece)
        self.answered += found

    def _make_page(self, number: int) -> bytes:
        first = LINKS * number + 1
        links = "".join(
            f'<a href="/{each}.html">{each}</a>\n'
            for each in range(first, first + LINKS)
            if each < self._pages
        )
        page = f"<title>{number}</title>{links}".encode()
        return page + b" " * max(0, self._bytes - len(page))


def name_host(number: int) -> str:
    """Return the address of a host."""
    return f"127.0.{number // 250}.{number % 250 + 1}"


async def run(given: argparse.Namespace) -> None:
    """Serve until the process is ended."""
    server = PacedServer(given.pages, given.bytes, given.delay, given.slots)
    failing = round(given.failing * given.hosts)
    for host in range(given.hosts):
        answer = server.fall_silent if host < failing else server.serve
        await asyncio.start_server(answer, name_host(host), given.port, backlog=1024)
    print("ready", flush=True)
    while True:
        print(f"{time.time():.3f} {server.sent_bytes} {server.answered}", flush=True)
        await asyncio.sleep(LOOK_S)


def main() -> None:
    """Serve as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("port", "hosts", "pages", "bytes"):
        parser.add_argument(name, type=int)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--slots", type=int, default=10_000)
    parser.add_argument("--failing", type=float, default=0.0)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
