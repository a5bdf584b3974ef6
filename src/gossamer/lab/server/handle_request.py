"""From the bytes of a request to the bytes of its reply: the part of the server that touches no socket."""

import re
import time
from email.utils import formatdate

import msgspec

from gossamer.lab.server.answer import Answering, LabAnswer, LabRequest, LocatedWorld
from gossamer.lab.server.clock import Clock
from gossamer.lab.server.http_wire import RequestHead, body_of, ends_connection, head_of, read_head
from gossamer.lab.server.reply import Reply
from gossamer.lab.server.reply_cache import ReplyCache

_BY_ADDRESS = re.compile(r"(?:[0-9.]+|localhost|)(?::\d*)?")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What bounds a client's abuse and a world's endlessness."""

    patience_s: float = 30.0
    """How long a stall, an endless answer, an idle connection or a client that does not read may last."""
    head_bytes: int = 64 * 1024
    """Longest head of a request."""
    request_body_bytes: int = 16 * 1024 * 1024
    """Longest body of a request; it is read and thrown away."""
    endless_bytes: int = 64 * 1024 * 1024
    """Where an endless answer ends."""
    cache_bytes: int = 256 * 1024 * 1024
    """Memory of each process for finished replies."""


def addresses(world: Answering) -> set[str] | None:
    """Return the 127.x.y.z addresses that a world's hosts have; None if it does not tell."""
    if isinstance(world, LocatedWorld) and (mapped := world.host_map()):
        return set(mapped.values())
    hosts = world.hosts()
    return set(hosts) if all(host.startswith("127.") for host in hosts) else None


def plain(status: int, text: str) -> LabAnswer:
    """Answer with a status and a sentence."""
    return LabAnswer(status, (("Content-Type", "text/plain; charset=utf-8"),), (text + "\n").encode())


class Service:
    """A world with its clock, replying to requests."""

    def __init__(self, world: Answering, port: int, clock: Clock, limits: Limits) -> None:
        self.limits = limits
        self.clock = clock
        self._world = world
        self._port = port
        self._cache = ReplyCache(limits.cache_bytes)
        mapped = world.host_map() if isinstance(world, LocatedWorld) else {}
        self._name_at = {address: name for name, address in mapped.items()}
        self._began_wall_s = time.time() - clock.now_s()
        self._date_s, self._date = -1, b""

    def reply(self, raw: bytes, address: str) -> Reply:
        """Reply to a request whose head is `raw`, sent to the host at `address`.

        A kept reply serves as long as it is true, for the very same bytes at the same address: so nothing
        that a world may look at (conditions, cookies, agent) can be mixed up.
        """
        now_s = self.clock.now_s()
        kept = self._cache.get((address, raw), now_s)
        if kept is not None:
            return kept
        head = read_head(raw)
        if head is None:
            return self.refusal(400, "This is not an HTTP/1 request.")
        if head.body_bytes < 0:
            return self.refusal(411, "A request's body needs a Content-Length here.")
        if head.body_bytes > self.limits.request_body_bytes:
            return self.refusal(413, "The request's body is too large.")
        host = self._host(head, address)
        answer = self._world.answer(LabRequest(head.method, host, head.target, head.headers), now_s)
        reply = _reply(head, host, answer, now_s)
        if answer.fresh_until_s > now_s:
            self._cache.put((address, raw), reply)
        return reply

    def refusal(self, status: int, text: str) -> Reply:
        """Return the last reply on a connection whose requests cannot be understood."""
        return _reply(RequestHead("", "", "", {}, False, 1, False, 0), "", plain(status, text), 0.0)

    def _host(self, head: RequestHead, address: str) -> str:
        if head.absolute or not _BY_ADDRESS.fullmatch(head.host):
            return head.host
        return self._name_at.get(address) or f"{address}:{self._port}"

    def date(self) -> bytes:
        """Return the Date header for now, on the world's clock."""
        now_s = int(self._began_wall_s + self.clock.now_s())
        if now_s != self._date_s:
            self._date_s = now_s
            self._date = f"Date: {formatdate(now_s, usegmt=True)}\r\n".encode()
        return self._date


def _reply(head: RequestHead, host: str, answer: LabAnswer, now_s: float) -> Reply:
    # A client that waits to be told to continue may send its body or not: only closing keeps that clear.
    keep_alive = head.keep_alive and not (head.body_bytes and "expect" in head.headers)
    status_line, rest = head_of(answer, keep_alive, head.minor)
    return Reply(
        status_line,
        rest,
        body_of(answer, head.method),
        answer.fault,
        keep_alive and not ends_connection(answer),
        any(name.lower() == "date" for name, _ in answer.headers),
        head.body_bytes,
        now_s,
        answer.fresh_until_s,
        host.rpartition(":")[0] if ":" in host else host,
        head.method,
        head.target,
        answer.status,
        head.headers.get("user-agent", ""),
    )
