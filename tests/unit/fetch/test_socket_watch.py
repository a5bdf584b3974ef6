import asyncio
import select
import socket
from collections.abc import Iterator

import pytest

from gossamer.fetch.socket_watch import READ, WRITE, EpollWatch, LoopWatch

KINDS = [LoopWatch, *([EpollWatch] if hasattr(select, "epoll") else [])]


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        yield ours, theirs


@pytest.mark.parametrize("kind", KINDS)
def test_sockets_are_reported_for_what_they_are_watched_for(
    kind: type[EpollWatch] | type[LoopWatch], pair: tuple[socket.socket, socket.socket]
) -> None:
    ours, theirs = pair
    told: list[tuple[int, int]] = []

    async def watching() -> None:
        watch = kind(asyncio.get_running_loop(), told.extend)
        number = ours.fileno()
        watch.opened(number)
        watch.want(number, READ)
        await asyncio.sleep(0.01)
        assert told == []
        theirs.send(b"x")
        await asyncio.sleep(0.01)
        assert set(told) == {(number, READ)}
        ours.recv(1)
        told.clear()
        watch.want(number, WRITE)
        await asyncio.sleep(0.01)
        assert set(told) == {(number, WRITE)}
        watch.want(number, READ | WRITE)
        theirs.send(b"x")
        told.clear()
        await asyncio.sleep(0.01)
        assert {bit for _, bits in told for bit in (READ, WRITE) if bits & bit} == {READ, WRITE}
        watch.leave(number)
        told.clear()
        await asyncio.sleep(0.01)
        assert told == []
        watch.close()

    asyncio.run(watching())


@pytest.mark.parametrize("kind", KINDS)
def test_a_socket_can_be_wanted_left_and_wanted_again(
    kind: type[EpollWatch] | type[LoopWatch], pair: tuple[socket.socket, socket.socket]
) -> None:
    ours, theirs = pair
    told: list[tuple[int, int]] = []

    async def watching() -> None:
        watch = kind(asyncio.get_running_loop(), told.extend)
        number = ours.fileno()
        watch.opened(number)
        for _ in range(3):
            watch.want(number, READ)
            theirs.send(b"x")
            await asyncio.sleep(0.01)
            assert (number, READ) in told
            watch.leave(number)
            told.clear()
            await asyncio.sleep(0.01)
            assert told == [], "what comes while nobody waits is not reported"
            ours.recv(1)
        watch.close()

    asyncio.run(watching())


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_that_is_used_again_is_a_new_socket(kind: type[EpollWatch] | type[LoopWatch]) -> None:
    told: list[tuple[int, int]] = []

    async def watching() -> None:
        watch = kind(asyncio.get_running_loop(), told.extend)
        numbers = set()
        for _ in range(3):
            ours, theirs = socket.socketpair()
            numbers.add(ours.fileno())
            watch.opened(ours.fileno())
            watch.want(ours.fileno(), READ)
            theirs.send(b"x")
            await asyncio.sleep(0.01)
            assert (ours.fileno(), READ) in told
            watch.leave(ours.fileno())
            ours.close()
            theirs.close()
            told.clear()
        assert len(numbers) == 1
        watch.close()

    asyncio.run(watching())
