"""Read documents in processes with limits: a few at once, waiting or not."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from types import TracebackType

from gossamer.documents.document_content import ReadingFailure
from gossamer.documents.find_reader import find_missing_package
from gossamer.documents.plugin_readers import is_plugin
from gossamer.documents.worker.messages import ReadingResult, UnreadDocument
from gossamer.documents.worker.process_limits import ReadingLimits
from gossamer.documents.worker.worker_client import DocumentWorker

WORKERS = 2
"""Documents read at once: a slow one does not hold up the others."""


class DocumentReaders:
    """Reads documents. Processes start with the first document; call `close`, or use it as a context."""

    def __init__(self, limits: ReadingLimits | None = None, workers: int = WORKERS) -> None:
        self._limits = limits or ReadingLimits()
        self._workers = workers
        self._turns = threading.Semaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[DocumentWorker] = []
        self._has_threads = False

    def __enter__(self) -> "DocumentReaders":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, document: UnreadDocument) -> ReadingResult:
        """Read a document; may be called from several threads."""
        missing = find_missing_package(document.reader)
        if missing:
            return ReadingFailure(
                "missing extra", f"install {missing} with  pip install 'gossamer[documents]'"
            )
        with self._turns:
            worker = self._borrow(document.reader if is_plugin(document.reader) else "")
            try:
                return worker.read(document)
            finally:
                with self._lock:
                    self._idle.append(worker)

    async def read_soon(self, document: UnreadDocument) -> ReadingResult:
        """Read a document while other work goes on."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.read, document)

    def close(self) -> None:
        """End the processes and threads; documents under way end first."""
        if self._has_threads:
            self._threads.shutdown()
            del self._threads
            self._has_threads = False
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        self._has_threads = True
        return ThreadPoolExecutor(self._workers, "documents")

    def _borrow(self, plugin: str) -> DocumentWorker:
        """Return an idle worker, or a new one; of the idle ones for other plug-ins, none is kept beyond the limit."""
        with self._lock:
            at = next((at for at, one in enumerate(self._idle) if one.plugin == plugin), None)
            if at is not None:
                return self._idle.pop(at)
            surplus = self._idle[: len(self._idle) - self._workers]
            del self._idle[: len(surplus)]
        for worker in surplus:
            worker.close()
        return DocumentWorker(plugin, self._limits)
