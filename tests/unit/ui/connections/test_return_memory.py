import asyncio
import ctypes
import gc
import subprocess
import sys
import weakref

import pytest

from gossamer.ui.connections import return_memory as module
from gossamer.ui.connections.return_memory import MemoryReturner

# Bodies of several sizes are made and freed in threads, with small ones between them that stay.
LOAD = """
import sys, threading
from pathlib import Path
from gossamer.ui.connections.return_memory import bound_memory_kept, return_memory

def read_rss_mb():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) // 1024

kept = []
def work():
    blocks = [bytearray(100_000) for _ in range(200)]
    kept.extend(bytearray(2_000) for _ in range(10))
    large = [bytes(9_000_000) for _ in range(3)]

bounded = bound_memory_kept() if "bounded" in sys.argv else False
before = read_rss_mb()
for _ in range(5):
    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads: one.start()
    for one in threads: one.join()
if bounded:
    return_memory()
print(read_rss_mb() - before)
"""


def has_glibc() -> bool:
    return module._find_glibc() is not None and sys.platform == "linux"


@pytest.mark.slow
@pytest.mark.skipif(not has_glibc(), reason="only glibc gives memory back on request")
def test_memory_is_given_back_after_load() -> None:
    run = subprocess.run([sys.executable, "-c", LOAD, "bounded"], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 20, "of more than 150 MB that was used at once"


def test_other_c_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_find_glibc", lambda: None)
    assert not module.bound_memory_kept()
    assert not module.return_memory()


def test_a_library_without_these_functions_is_no_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert module._find_glibc.__wrapped__() is None


def test_memory_is_given_back_once_requests_were_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [100.0]
    monkeypatch.setattr(module, "return_memory", lambda: True)
    memory = MemoryReturner(lambda: now_s[0])

    def is_returned(requests: int, is_busy: bool, after_s: float) -> bool:
        now_s[0] += after_s
        return asyncio.run(memory.return_when_idle(requests, is_busy))

    assert not is_returned(0, False, 10.0), "nothing was asked"
    assert not is_returned(5, True, 0.0)
    assert is_returned(5, False, 0.0)
    assert not is_returned(5, False, 100.0), "nothing was asked since"
    assert not is_returned(9, True, -80.0)
    assert is_returned(9, True, 60.0), "it never gets idle"
    assert not is_returned(12, False, 0.5), "a moment ago"


def test_cycles_are_collected() -> None:
    seen = weakref.ref(holder := Holder())
    holder.itself = holder
    del holder
    module.return_memory()
    assert seen() is None


def test_what_exists_at_the_start_is_left_out_of_later_collections() -> None:
    module.freeze_program()
    try:
        assert gc.get_freeze_count() > 10_000
        test_cycles_are_collected()  # those that come afterwards are
    finally:
        gc.unfreeze()


class Holder:
    """Something that can be in a cycle."""

    itself: "Holder"
