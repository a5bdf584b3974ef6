"""A real SMTP server on a loopback address, for tests: it may offer TLS and a login, and refuse what it is told to."""

import asyncio
import base64
import email
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message


class SmtpServer:
    """Keeps the mail that it is sent."""

    def __init__(
        self, tls: ssl.SSLContext | None = None, password: str = "", from_start: bool = False
    ) -> None:
        self._tls = tls
        self._password = password
        self._from_start = from_start
        self.refusals = 0
        """So many messages are refused for the moment."""
        self.mail: list[Message] = []
        self.refused = 0
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        assert self._ready.wait(60)

    def stop(self) -> None:
        """End."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        starting = asyncio.start_server(
            self._talk, "127.0.0.1", 0, ssl=self._tls if self._from_start else None
        )
        server = self._loop.run_until_complete(starting)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        secure, known = self._from_start, not self._password
        writer.write(b"220 test\r\n")
        try:
            while line := (await reader.readline()).strip():
                verb = line.split(b" ")[0].upper()
                if verb == b"EHLO":
                    offers = [b"STARTTLS"] if self._tls and not secure else []
                    offers += [b"AUTH PLAIN"] if self._password and secure else []
                    lines = [b"test", *offers]
                    writer.write(
                        b"".join(b"250-" + one + b"\r\n" for one in lines[:-1])
                        + b"250 "
                        + lines[-1]
                        + b"\r\n"
                    )
                elif verb == b"STARTTLS" and self._tls:
                    writer.write(b"220 go\r\n")
                    await writer.start_tls(self._tls)
                    secure = True
                elif verb == b"AUTH":
                    known = base64.b64decode(line.split(b" ")[2]).split(b"\0")[2] == self._password.encode()
                    writer.write(b"235 yes\r\n" if known else b"535 no\r\n")
                elif verb == b"DATA":
                    await self._take(reader, writer)
                elif verb == b"QUIT":
                    writer.write(b"221 bye\r\n")
                    break
                elif not known and verb == b"MAIL":
                    writer.write(b"530 log in first\r\n")
                elif self.refusals and verb == b"MAIL":
                    self.refusals -= 1
                    self.refused += 1
                    writer.write(b"451 try again later\r\n")
                else:
                    writer.write(b"250 ok\r\n")
                await writer.drain()
        except (OSError, ssl.SSLError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"354 go on\r\n")
        await writer.drain()
        body = await reader.readuntil(b"\r\n.\r\n")
        self.mail.append(email.message_from_bytes(body[:-3]))
        writer.write(b"250 kept\r\n")


@contextmanager
def serve_smtp(
    tls: ssl.SSLContext | None = None, password: str = "", from_start: bool = False
) -> Iterator[SmtpServer]:
    """Run a server while the block runs."""
    server = SmtpServer(tls, password, from_start)
    server.start()
    try:
        yield server
    finally:
        server.stop()
