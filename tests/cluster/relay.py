"""Pass connections on to a server's Unix socket: python -m tests.cluster.relay ADDRESS PORT SOCKET

Run in a network namespace of its own, it puts the server there: a Unix socket is reached from every namespace.
"""

import asyncio
import sys
from contextlib import suppress

_PIECE = 1 << 16


async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy bytes until one side ends."""
    with suppress(OSError):
        while data := await source.read(_PIECE):
            target.write(data)
            await target.drain()
    target.close()


async def run(address: str, port: int, path: str) -> None:
    """Accept connections for ever."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, server = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, server), pass_on(answers, writer))

    async with await asyncio.start_server(accept, address, port) as listener:
        print("ready", flush=True)
        await listener.serve_forever()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
