"""Documents are read in a process that cannot harm the one that asked: no hang, no crash, memory within its limit."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from gossamer.documents.document_content import DocumentContent, ReadingFailure
from gossamer.documents.plugin_readers import load_reader
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.worker.messages import ReadingResult, UnreadDocument
from gossamer.documents.worker.process_limits import ReadingLimits
from gossamer.lab.documents.hostile_document import BOMBS, make_hostile_document, make_sample
from gossamer.lab.documents.sample_document import FORMS, write_document

URL = "http://a.example/doc"
MEMORY = 400_000_000
pytestmark = pytest.mark.slow

PLUGIN = """
import os, time
from gossamer.documents.document_content import DocumentContent, DocumentPart

def read(body, url):
    print("noise on the output")
    match body:
        case b"sleep":
            time.sleep(3600)
        case b"spin":
            while True:
                pass
        case b"die":
            os.abort()
        case b"grow":
            return len([bytearray(10_000_000) for _ in range(1_000)])
        case b"raise":
            raise KeyError("a bug")
        case b"wrong":
            return {"no": "content"}
    return DocumentContent(format="odd", parts=(DocumentPart("", url + " " + body.decode()),))

read.media_types = ["application/x-odd"]
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Install a package with a reader for application/x-odd."""
    (tmp_path / "odd_reader.py").write_text(PLUGIN)
    info = tmp_path / "odd_reader-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-reader\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gossamer.readers]\nodd = odd_reader:read\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    load_reader.cache_clear()
    yield "plugin:odd"
    load_reader.cache_clear()


def make_readers(**limits: float) -> DocumentReaders:
    usual = {"memory_bytes": MEMORY, "cpu_s": 20, "wall_s": 60.0} | limits
    return DocumentReaders(ReadingLimits(**usual), workers=1)  # type: ignore[arg-type]


def test_every_format_is_read_without_opening_a_file() -> None:
    with make_readers() as readers:
        for form in FORMS:
            body = write_document(form, make_sample(Random(3)))
            found = readers.read(UnreadDocument(form, URL, body))
            assert isinstance(found, DocumentContent), (form, found)
            assert "lantern" in found.text


def test_a_locked_process_opens_neither_files_nor_sockets() -> None:
    program = """
import socket
from gossamer.documents.worker.process_limits import forbid_files
forbid_files()
for act in (lambda: open("/etc/hostname"), socket.socket, lambda: open("/tmp/x", "w")):
    try:
        act()
    except OSError:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused"] * 3


def check_result(found: ReadingResult) -> None:
    assert isinstance(found, DocumentContent | ReadingFailure)
    if isinstance(found, DocumentContent):
        assert len(found.text) <= 2_100_000


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_cost_bounded_time_and_memory(name: str) -> None:
    form, make = BOMBS[name]
    with make_readers(cpu_s=5) as readers:
        check_result(readers.read(UnreadDocument(form, URL, make(Random(1)))))
        after = readers.read(UnreadDocument("markdown", URL, b"# Still here"))
        assert isinstance(after, DocumentContent)


def test_hostile_documents_of_all_formats() -> None:
    causes = set()
    with make_readers(cpu_s=5) as readers:
        for seed in range(60):
            form, body = make_hostile_document(seed)
            found = readers.read(UnreadDocument(form, URL, body))
            check_result(found)
            causes.add(found.cause if isinstance(found, ReadingFailure) else "read")
    assert {"read", "broken"} <= causes


def test_a_plug_in_has_its_own_process(plugin: str) -> None:
    with make_readers() as readers:
        found = readers.read(UnreadDocument(plugin, URL, b"text"))
        assert isinstance(found, DocumentContent)
        assert found.text == f"{URL} text"


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (b"sleep", "too slow: reading it took more than 3 s"),
        (b"spin", "too slow: reading it took more than 1 s of CPU time"),
        (b"die", "too large: reading it takes more memory than allowed"),
        (b"grow", "too large: reading it takes more memory than allowed"),
        (b"raise", "broken: the reader odd raised KeyError: 'a bug'"),
        (b"wrong", "broken: the reader odd raised TypeError: it returned dict"),
    ],
)
def test_a_reader_that_fails_becomes_a_value(plugin: str, body: bytes, cause: str) -> None:
    slow: dict[bytes, dict[str, float]] = {b"sleep": {"wall_s": 3.0}, b"spin": {"cpu_s": 1}}
    with make_readers(**slow.get(body, {})) as readers:
        found = readers.read(UnreadDocument(plugin, URL, body))
        assert isinstance(found, ReadingFailure)
        assert str(found).startswith(cause)
        assert isinstance(readers.read(UnreadDocument(plugin, URL, b"text")), DocumentContent)


def test_a_killed_process_is_started_again() -> None:
    with make_readers() as readers:
        document = UnreadDocument("markdown", URL, b"# Here")
        assert isinstance(readers.read(document), DocumentContent)
        process = readers._idle[0]._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert isinstance(readers.read(document), ReadingFailure)
        assert isinstance(readers.read(document), DocumentContent)
    assert not readers._idle


def test_a_document_that_nothing_reads_is_unsupported() -> None:
    with make_readers() as readers:
        found = readers.read(UnreadDocument("unheard of", URL, b""))
    assert found == ReadingFailure("unsupported", "there is no reader for unheard of")


def test_several_documents_are_read_while_the_event_loop_goes_on() -> None:
    async def read_all() -> list[ReadingResult]:
        with DocumentReaders(workers=2) as readers:
            documents = [UnreadDocument("markdown", URL, b"# Number %d" % at) for at in range(8)]
            return await asyncio.gather(*map(readers.read_soon, documents))

    found = asyncio.run(read_all())
    assert [one.text for one in found if isinstance(one, DocumentContent)] == [
        f"Number {at}" for at in range(8)
    ]


def test_a_missing_extra_is_named_without_starting_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.documents.read_document.find_missing_package", lambda name: "pypdfium2")
    with make_readers() as readers:
        found = readers.read(UnreadDocument("pdf", URL, b"%PDF-"))
    assert str(found) == "missing extra: install pypdfium2 with  pip install 'gossamer[documents]'"
