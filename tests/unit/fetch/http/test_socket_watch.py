import asyncio
import select
import socket
from collections.abc import Iterator

import pytest

from gossamer.fetch.http.socket_watch import READ, WRITE, EpollWatch, LoopWatch

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
    ready: list[tuple[int, int]] = []

    async def check() -> None:
        watch = kind(asyncio.get_running_loop(), ready.extend)
        number = ours.fileno()
        watch.add_new(number)
        watch.watch_for(number, READ)
        await asyncio.sleep(0.01)
        assert ready == []
        theirs.send(b"x")
        await asyncio.sleep(0.01)
        assert set(ready) == {(number, READ)}
        ours.recv(1)
        ready.clear()
        watch.watch_for(number, WRITE)
        await asyncio.sleep(0.01)
        assert set(ready) == {(number, WRITE)}
        watch.watch_for(number, READ | WRITE)
        theirs.send(b"x")
        ready.clear()
        await asyncio.sleep(0.01)
        assert {bit for _, bits in ready for bit in (READ, WRITE) if bits & bit} == {READ, WRITE}
        watch.unwatch(number)
        ready.clear()
        await asyncio.sleep(0.01)
        assert ready == []
        watch.close()

    asyncio.run(check())


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="only epoll watches idle sockets")
def test_an_idle_socket_that_is_closed_is_reported_once(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    ready: list[tuple[int, int]] = []
    closed: list[int] = []

    async def check() -> None:
        watch = EpollWatch(asyncio.get_running_loop(), ready.extend, closed.append)
        watch.add_new(ours.fileno())
        watch.watch_for(ours.fileno(), READ)
        watch.unwatch(ours.fileno())
        await asyncio.sleep(0.01)
        assert closed == []
        theirs.close()
        await asyncio.sleep(0.01)
        assert (closed, ready) == ([ours.fileno()], [])
        watch.close()

    asyncio.run(check())


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="only epoll watches idle sockets")
def test_bytes_on_an_idle_socket_do_not_close_it(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    closed: list[int] = []

    async def check() -> None:
        watch = EpollWatch(asyncio.get_running_loop(), lambda _: None, closed.append)
        watch.add_new(ours.fileno())
        watch.watch_for(ours.fileno(), READ)
        watch.unwatch(ours.fileno())
        theirs.send(b"a late message of TLS")
        await asyncio.sleep(0.01)
        watch.close()

    asyncio.run(check())
    assert closed == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_socket_can_be_watched_again(
    kind: type[EpollWatch] | type[LoopWatch], pair: tuple[socket.socket, socket.socket]
) -> None:
    ours, theirs = pair
    ready: list[tuple[int, int]] = []

    async def check() -> None:
        watch = kind(asyncio.get_running_loop(), ready.extend)
        number = ours.fileno()
        watch.add_new(number)
        for _ in range(3):
            watch.watch_for(number, READ)
            theirs.send(b"x")
            await asyncio.sleep(0.01)
            assert (number, READ) in ready
            watch.unwatch(number)
            ready.clear()
            await asyncio.sleep(0.01)
            assert ready == [], "an unwatched socket is not reported"
            ours.recv(1)
        watch.close()

    asyncio.run(check())


@pytest.mark.parametrize("kind", KINDS)
def test_a_reused_number_is_a_new_socket(kind: type[EpollWatch] | type[LoopWatch]) -> None:
    ready: list[tuple[int, int]] = []

    async def check() -> None:
        watch = kind(asyncio.get_running_loop(), ready.extend)
        numbers = set()
        for _ in range(3):
            ours, theirs = socket.socketpair()
            numbers.add(ours.fileno())
            watch.add_new(ours.fileno())
            watch.watch_for(ours.fileno(), READ)
            theirs.send(b"x")
            await asyncio.sleep(0.01)
            assert (ours.fileno(), READ) in ready
            watch.unwatch(ours.fileno())
            ours.close()
            theirs.close()
            ready.clear()
        assert len(numbers) == 1
        watch.close()

    asyncio.run(check())
