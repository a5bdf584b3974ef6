"""Clients that keep a server waiting in all known ways, until they are ended; those that are closed connect again.

python bench/slow_clients.py PORT NUMBER PATH_OF_A_LARGE_ANSWER
"""

import asyncio
import itertools
import socket
import sys
from contextlib import suppress

import msgspec

AGAIN_S, STEP_S = 5.0, 4.0
HEAD = "GET /help HTTP/1.1\r\nHost: localhost\r\n"
POST = "POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


class Habit(msgspec.Struct, frozen=True):
    """What a client sends first, what it sends after each step, and how much it reads in each."""

    begin: str
    more: str = ""
    reads_bytes: int = 65_536


def list_habits(large: str) -> list[Habit]:
    """Return all ways to keep a server waiting."""
    ask_large = f"GET {large} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return [
        Habit(""),
        Habit(HEAD, "X"),
        Habit(f"{HEAD}Content-Length: 1000000\r\n\r\n", "a"),
        Habit(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        Habit(f"{POST}Content-Length: 90000\r\n\r\n", "a"),
        Habit(f"{POST}Expect: 100-continue\r\nContent-Length: 90000\r\n\r\n"),
        Habit(f"{HEAD}\r\n"),
        Habit(f"{HEAD}\r\n", f"{HEAD}\r\n", 0),
        Habit(ask_large, "", 0),
        Habit(ask_large, "", 100),
    ]


async def keep_waiting(port: int, habit: Habit) -> None:
    """Connect again and again, and behave as the habit says."""
    loop = asyncio.get_running_loop()
    while True:
        with socket.socket() as client, suppress(OSError):
            client.setblocking(False)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await loop.sock_connect(client, ("127.0.0.1", port))
            await loop.sock_sendall(client, habit.begin.encode())
            while True:
                await asyncio.sleep(STEP_S)
                await loop.sock_sendall(client, habit.more.encode())
                if habit.reads_bytes and not _read_some(client, habit.reads_bytes):
                    break
        await asyncio.sleep(AGAIN_S)


def _read_some(client: socket.socket, most_bytes: int) -> bool:
    """Read what is there; return whether the connection is open."""
    try:
        return bool(client.recv(most_bytes))
    except BlockingIOError:
        return True


async def main(port: int, number: int, large: str) -> None:
    """Keep the server waiting."""
    habits = itertools.islice(itertools.cycle(list_habits(large)), number)
    async with asyncio.TaskGroup() as group:
        for habit in habits:
            group.create_task(keep_waiting(port, habit))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
