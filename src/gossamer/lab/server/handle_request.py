"""Turn the bytes of a request into the bytes of its reply: the part of the server without sockets."""

import re
import time
from email.utils import formatdate

import msgspec

from gossamer.lab.server.answer import Answering, LabAnswer, LabRequest, LocatedWorld, answer_with_text
from gossamer.lab.server.clock import Clock
from gossamer.lab.server.http_wire import RequestHead, build_body, build_head, ends_connection, read_head
from gossamer.lab.server.reply import Reply
from gossamer.lab.server.reply_cache import ReplyCache

_NO_REQUEST = RequestHead(
    method="", host="", target="", headers={}, keep_alive=False, minor=1, absolute=False, body_bytes=0
)
_BY_ADDRESS = re.compile(r"(?:[0-9.]+|localhost|)(?::\d*)?")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on what a client can demand and on how long faults last."""

    patience_s: float = 30.0
    """How long a stall, an endless answer, an idle connection or a client that does not read may last."""
    head_bytes: int = 64 * 1024
    """Longest request head."""
    request_body_bytes: int = 16 * 1024 * 1024
    """Longest request body; it is read and discarded."""
    endless_bytes: int = 64 * 1024 * 1024
    """Length at which an endless answer is cut off."""
    cache_bytes: int = 256 * 1024 * 1024
    """Memory for cached replies, in each process."""


def find_addresses(world: Answering) -> set[str] | None:
    """Return the 127.x.y.z addresses of a world's hosts; None if they are unknown."""
    if isinstance(world, LocatedWorld) and (mapped := world.host_map()):
        return set(mapped.values())
    hosts = world.hosts()
    return set(hosts) if all(host.startswith("127.") for host in hosts) else None


class Service:
    """Replies to requests for a world, by its clock."""

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

        A cached reply is used only for identical bytes at the same address, so it can never differ in anything
        that a world may read (conditions, cookies, agent).
        """
        now_s = self.clock.now_s()
        cached = self._cache.get((address, raw), now_s)
        if cached is not None:
            return cached
        head = read_head(raw)
        if head is None:
            return self.refuse(400, "This is not an HTTP/1 request.")
        if head.body_bytes < 0:
            return self.refuse(411, "A request with a body needs a Content-Length.")
        if head.body_bytes > self.limits.request_body_bytes:
            return self.refuse(413, "The body of the request is too large.")
        host = self._find_host(head, address)
        answer = self._world.answer(LabRequest(head.method, host, head.target, head.headers), now_s)
        reply = _build_reply(head, host, answer, now_s)
        if answer.fresh_until_s > now_s:
            self._cache.put((address, raw), reply)
        return reply

    def refuse(self, status: int, text: str) -> Reply:
        """Return an error reply that closes the connection."""
        return _build_reply(_NO_REQUEST, "", answer_with_text(status, text), 0.0)

    def _find_host(self, head: RequestHead, address: str) -> str:
        if head.absolute or not _BY_ADDRESS.fullmatch(head.host):
            return head.host
        return self._name_at.get(address) or f"{address}:{self._port}"

    def date_header(self) -> bytes:
        """Return the Date header for the current world time."""
        now_s = int(self._began_wall_s + self.clock.now_s())
        if now_s != self._date_s:
            self._date_s = now_s
            self._date = f"Date: {formatdate(now_s, usegmt=True)}\r\n".encode()
        return self._date


def _build_reply(head: RequestHead, host: str, answer: LabAnswer, now_s: float) -> Reply:
    # With Expect, the client may or may not send its body; closing the connection avoids the ambiguity.
    keep_alive = head.keep_alive and not (head.body_bytes and "expect" in head.headers)
    status_line, rest = build_head(answer, keep_alive, head.minor)
    return Reply(
        status_line=status_line,
        head=rest,
        body=build_body(answer, head.method),
        fault=answer.fault,
        keep_alive=keep_alive and not ends_connection(answer),
        dated=any(name.lower() == "date" for name, _ in answer.headers),
        body_bytes=head.body_bytes,
        from_s=now_s,
        fresh_until_s=answer.fresh_until_s,
        host=host.rpartition(":")[0] if ":" in host else host,
        method=head.method,
        target=head.target,
        status=answer.status,
        agent=head.headers.get("user-agent", ""),
    )
