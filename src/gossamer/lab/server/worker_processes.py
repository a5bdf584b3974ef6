"""Several processes serving one world: they share nothing but the port, the clock and the log."""

import asyncio
import itertools
import multiprocessing
import signal
import socket
import threading
from contextlib import suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection as Pipe

import msgspec

from gossamer.lab.server.request_log import LoggedRequest, RequestLog
from gossamer.lab.server.worker import WorkerOptions, attend

# A fresh interpreter takes a moment to import the world's word lists, more on a busy machine.
_START_S = 60.0
_STOP_S = 10.0
_TOLD = msgspec.msgpack.Decoder(list[LoggedRequest] | dict[str, int])
_SPAWN = multiprocessing.get_context("spawn")


class _WorkerProcess:
    """One process of the fleet, seen from the one that started it."""

    def __init__(self, orders: WorkerOptions, sockets: list[socket.socket], log: RequestLog) -> None:
        self._log = log
        self._pipe, theirs = _SPAWN.Pipe()
        self._told = threading.Semaphore(0)
        self._gone = False
        self.process = _SPAWN.Process(target=_serve_alone, args=(orders, sockets, theirs), daemon=True)
        # Ctrl-C reaches the whole group, even a process that is still starting; but the parent says when to end.
        # The tracker comes first: as it starts, it lets the signal through again.
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            theirs.close()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        """Take in what the process tells: entries of its log, and that it is done with what it was asked."""
        try:
            while True:
                message = self._pipe.recv_bytes()
                if not message:
                    self._told.release()
                elif isinstance(told := _TOLD.decode(message), dict):
                    self._log.add_counts(told)
                else:
                    self._log.extend(told)
        except (EOFError, OSError):
            self._gone = True
            self._told.release()

    def wait(self, patience_s: float) -> bool:
        """Wait until the process has started, or has handed over its log; False if it is gone."""
        return not self._gone and self._told.acquire(timeout=patience_s) and not self._gone

    def ask(self, message: bytes) -> None:
        """Ask for the log ("log"), or for the end ("end")."""
        try:
            self._pipe.send_bytes(message)
        except OSError:
            self._gone = True

    def end(self) -> int | None:
        """See the process out and return its exit code."""
        self.process.join(_STOP_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._listener.join()
        self._pipe.close()
        return self.process.exitcode


class Fleet:
    """Processes that serve one world together."""

    def __init__(self, orders: WorkerOptions, sockets: list[list[socket.socket]], log: RequestLog) -> None:
        self._log = log
        orders = msgspec.structs.replace(orders, tell_entries=log.wants_entries)
        try:
            self._members = [
                _WorkerProcess(msgspec.structs.replace(orders, process=number), listeners, log)
                for number, listeners in enumerate(sockets)
            ]
        finally:
            for listener in itertools.chain(*sockets):
                listener.close()
        if not all(member.wait(_START_S) for member in self._members):
            self.end()
            raise RuntimeError("a serving process did not start")

    def collect(self) -> None:
        """Wait until the log has every request that was answered before this call.

        A log that only counts is told the numbers at the end.
        """
        for member in self._members:
            member.ask(b"log")
        for member in self._members:
            member.wait(_STOP_S)
        self._log.flush()

    def end(self) -> None:
        """End all processes and take in the rest of their logs."""
        for member in self._members:
            member.ask(b"end")
        codes = [member.end() for member in self._members]
        self._log.flush()
        if any(codes):
            raise RuntimeError(f"serving processes ended with the exit codes {codes}")


def _serve_alone(orders: WorkerOptions, sockets: list[socket.socket], pipe: Pipe) -> None:
    """Be one process of a fleet."""
    asyncio.run(_attend_until_told(orders, sockets, pipe))


async def _attend_until_told(orders: WorkerOptions, sockets: list[socket.socket], pipe: Pipe) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    log = RequestLog(keep=False, sink=partial(_tell, pipe) if orders.tell_entries else None)

    def listen() -> None:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):  # the parent is gone
            message = b"end"
        if message == b"end":
            loop.remove_reader(pipe.fileno())
            ended.set()
        else:
            log.flush()
            _tell(pipe, None)

    async with attend(orders, sockets, log):
        loop.add_reader(pipe.fileno(), listen)
        _tell(pipe, None)
        await ended.wait()
    if not orders.tell_entries:
        _tell(pipe, log.counts())


def _tell(pipe: Pipe, told: list[LoggedRequest] | dict[str, int] | None) -> None:
    """Tell the parent entries, counts, or that all is done; if it is gone, nobody wants to know."""
    with suppress(OSError):
        pipe.send_bytes(b"" if told is None else msgspec.msgpack.encode(told))
