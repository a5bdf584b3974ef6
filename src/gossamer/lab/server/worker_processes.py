"""Serve one world in several processes that share only the port, the clock and the log."""

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
from gossamer.lab.server.worker import WorkerOptions, serve_sockets

# A fresh interpreter needs time to import the word lists, more so on a busy machine.
_START_S = 60.0
_STOP_S = 10.0
_REPORT = msgspec.msgpack.Decoder(list[LoggedRequest] | dict[str, int])
_SPAWN = multiprocessing.get_context("spawn")


class _WorkerProcess:
    """A process of the fleet, as its parent sees it."""

    def __init__(self, options: WorkerOptions, sockets: list[socket.socket], log: RequestLog) -> None:
        self._log = log
        self._pipe, theirs = _SPAWN.Pipe()
        self._done = threading.Semaphore(0)
        self._exited = False
        self.process = _SPAWN.Process(target=_run_worker, args=(options, sockets, theirs), daemon=True)
        # Ctrl-C reaches the whole process group, even a process that is still starting, but the parent decides when
        # to stop. The tracker must run before the signal is blocked: starting it unblocks the signal.
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
        """Receive the process's reports: logged requests, counts, or that a command is done."""
        try:
            while True:
                message = self._pipe.recv_bytes()
                if not message:
                    self._done.release()
                elif isinstance(report := _REPORT.decode(message), dict):
                    self._log.add_counts(report)
                else:
                    self._log.extend(report)
        except (EOFError, OSError):
            self._exited = True
            self._done.release()

    def wait(self, patience_s: float) -> bool:
        """Wait until the process has started or has sent its log; return False if it exited."""
        return not self._exited and self._done.acquire(timeout=patience_s) and not self._exited

    def send_command(self, message: bytes) -> None:
        """Send "log" to request the log, or "end" to stop the process."""
        try:
            self._pipe.send_bytes(message)
        except OSError:
            self._exited = True

    def join(self) -> int | None:
        """Wait for the process to end, kill it if it does not, and return its exit code."""
        self.process.join(_STOP_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._listener.join()
        self._pipe.close()
        return self.process.exitcode


class Fleet:
    """Processes that serve one world together."""

    def __init__(self, options: WorkerOptions, sockets: list[list[socket.socket]], log: RequestLog) -> None:
        self._log = log
        options = msgspec.structs.replace(options, report_requests=log.wants_entries)
        try:
            self._workers = [
                _WorkerProcess(msgspec.structs.replace(options, process=number), listeners, log)
                for number, listeners in enumerate(sockets)
            ]
        finally:
            for listener in itertools.chain(*sockets):
                listener.close()
        if not all(worker.wait(_START_S) for worker in self._workers):
            self.stop()
            raise RuntimeError("a worker process of the lab did not start")

    def collect(self) -> None:
        """Wait until the log has every request that was answered before this call.

        A log that only counts gets the numbers when the processes stop.
        """
        for worker in self._workers:
            worker.send_command(b"log")
        for worker in self._workers:
            worker.wait(_STOP_S)
        self._log.flush()

    def stop(self) -> None:
        """Stop all processes and collect the rest of their logs."""
        for worker in self._workers:
            worker.send_command(b"end")
        codes = [worker.join() for worker in self._workers]
        self._log.flush()
        if any(codes):
            raise RuntimeError(f"worker processes of the lab ended with the exit codes {codes}")


def _run_worker(options: WorkerOptions, sockets: list[socket.socket], pipe: Pipe) -> None:
    """Run one process of a fleet."""
    asyncio.run(_serve_until_stopped(options, sockets, pipe))


async def _serve_until_stopped(options: WorkerOptions, sockets: list[socket.socket], pipe: Pipe) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    log = RequestLog(keep=False, sink=partial(_send_report, pipe) if options.report_requests else None)

    def listen() -> None:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):  # the parent has exited
            message = b"end"
        if message == b"end":
            loop.remove_reader(pipe.fileno())
            ended.set()
        else:
            log.flush()
            _send_report(pipe, None)

    async with serve_sockets(options, sockets, log):
        loop.add_reader(pipe.fileno(), listen)
        _send_report(pipe, None)
        await ended.wait()
    if not options.report_requests:
        _send_report(pipe, log.counts())


def _send_report(pipe: Pipe, report: list[LoggedRequest] | dict[str, int] | None) -> None:
    """Send the parent logged requests, counts, or None for "done"; ignore a parent that has exited."""
    with suppress(OSError):
        pipe.send_bytes(b"" if report is None else msgspec.msgpack.encode(report))
