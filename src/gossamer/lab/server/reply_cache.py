"""A cache of replies, limited in bytes; the least recently used are dropped first."""

from collections import OrderedDict

from gossamer.lab.server.reply import Reply

# Memory of a reply beside its head and body: strings, key and dictionary slot.
_OVERHEAD_BYTES = 900


class ReplyCache:
    """Replies by address and raw request, up to a number of bytes."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.size_bytes = 0
        self._replies: OrderedDict[tuple[str, bytes], Reply] = OrderedDict()

    def get(self, key: tuple[str, bytes], now_s: float) -> Reply | None:
        """Return the cached reply if it is valid at this world time; clocks may be turned back."""
        reply = self._replies.get(key)
        if reply is None:
            return None
        if reply.from_s <= now_s < reply.fresh_until_s:
            self._replies.move_to_end(key)
            return reply
        self._drop(key)
        return None

    def put(self, key: tuple[str, bytes], reply: Reply) -> None:
        """Add a reply, unless it would take more than a tenth of the cache."""
        if _memory_bytes(key, reply) * 10 > self.limit_bytes or key in self._replies:
            return
        self._replies[key] = reply
        self.size_bytes += _memory_bytes(key, reply)
        while self.size_bytes > self.limit_bytes:
            self._drop(next(iter(self._replies)))

    def _drop(self, key: tuple[str, bytes]) -> None:
        self.size_bytes -= _memory_bytes(key, self._replies.pop(key))

    def __len__(self) -> int:
        return len(self._replies)


def _memory_bytes(key: tuple[str, bytes], reply: Reply) -> int:
    return _OVERHEAD_BYTES + len(key[1]) + len(reply.head) + len(reply.body)
