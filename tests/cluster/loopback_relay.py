"""Make a server's loopback addresses reachable from a network namespace: python -m tests.cluster.loopback_relay NAMESPACE PORT

A lab answers at one loopback address for each host. Each connection to such an address within the namespace is passed on to
the same address outside of it. A socket belongs to the namespace that it was made in, so one process has both.
"""

import asyncio
import ctypes
import os
import socket
import sys

from tests.cluster.relay import pass_on


def listen_within(namespace: str, port: int) -> socket.socket:
    """Listen at all addresses of a namespace, and stay outside of it."""
    set_namespace = ctypes.CDLL(None, use_errno=True).setns
    with open("/proc/self/ns/net") as outside, open(f"/run/netns/{namespace}") as inside:
        if set_namespace(inside.fileno(), 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        listener = socket.create_server(("0.0.0.0", port))  # noqa: S104 - within the namespace
        if set_namespace(outside.fileno(), 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return listener


async def run(namespace: str, port: int) -> None:
    """Accept connections for ever."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        try:
            answers, server = await asyncio.open_connection(address, port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, server), pass_on(answers, writer))

    async with await asyncio.start_server(accept, sock=listen_within(namespace, port)) as listener:
        print("ready", flush=True)
        await listener.serve_forever()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2])))
