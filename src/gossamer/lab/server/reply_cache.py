"""Finished answers kept while memory allows: the least lately used go first."""

from collections import OrderedDict

from gossamer.lab.server.reply import Reply

# A reply with its strings, its key and its place in the dictionary, beside head and body.
_OVERHEAD_BYTES = 900


class ReplyCache:
    """Replies by what was asked, up to a number of bytes."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.size_bytes = 0
        self._kept: OrderedDict[tuple[str, bytes], Reply] = OrderedDict()

    def get(self, key: tuple[str, bytes], now_s: float) -> Reply | None:
        """Return the kept reply if it is true at this time; clocks may be turned back."""
        reply = self._kept.get(key)
        if reply is None:
            return None
        if reply.from_s <= now_s < reply.fresh_until_s:
            self._kept.move_to_end(key)
            return reply
        self._drop(key)
        return None

    def put(self, key: tuple[str, bytes], reply: Reply) -> None:
        """Keep a reply, unless it alone would take a tenth of the memory."""
        if _bytes(key, reply) * 10 > self.limit_bytes or key in self._kept:
            return
        self._kept[key] = reply
        self.size_bytes += _bytes(key, reply)
        while self.size_bytes > self.limit_bytes:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[str, bytes]) -> None:
        self.size_bytes -= _bytes(key, self._kept.pop(key))

    def __len__(self) -> int:
        return len(self._kept)


def _bytes(key: tuple[str, bytes], reply: Reply) -> int:
    return _OVERHEAD_BYTES + len(key[1]) + len(reply.head) + len(reply.body)
