"""Measure the readers of documents: PDF words against the HTML or text of the same document, and hostile documents.

The pairs come with Debian packages, each in both forms. Poppler's pdftotext and pypdf read the same files in the same
run. The readers of Office files are compared with the usual libraries. Hostile documents follow from their seeds.

    apt-get install poppler-utils $(python bench/documents.py --packages)
    python bench/documents.py [--json] [--hostile N]
"""

import gzip
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from command_line import run_benchmark
from gossamer.documents.document_content import DocumentContent
from gossamer.documents.find_reader import find_reader
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.worker.messages import UnreadDocument
from gossamer.documents.worker.process_limits import ReadingLimits
from gossamer.lab.documents.hostile_document import make_hostile_document
from gossamer.net import html
from office_readers import compare_office_readers

ROOT = Path(os.environ.get("GOSSAMER_DOCUMENTS", "/"))
"""Where the packages are installed or unpacked."""
HOSTILE = 1_000
LIMITS = ReadingLimits()
DONE_S = 5.0
"""How long after its time limit an answer may come on a busy machine."""
_DOC, _REFERENCE = "usr/share/doc", "usr/share/developers-reference"
_WORD = re.compile(r"[^\W\d_]+")
_NOT_IN_PRINT = ("search.html", "genindex.html")


class Pair(msgspec.Struct, frozen=True):
    """A document that a Debian package brings as PDF, and as HTML or text."""

    package: str
    pdf: str
    other: str
    """A pattern: manuals may have a page for each chapter."""


PAIRS = [
    Pair("apt-cacher-ng", f"{_DOC}/apt-cacher-ng/apt-cacher-ng.pdf", f"{_DOC}/apt-cacher-ng/html/*.html"),
    Pair("autoconf-doc", f"{_DOC}/autoconf/autoconf.pdf.gz", f"{_DOC}/autoconf/autoconf.html"),
    Pair("bash-doc", f"{_DOC}/bash/bashref.pdf", f"{_DOC}/bash/bashref.html"),
    Pair("bird2-doc", f"{_DOC}/bird2/bird.pdf.gz", f"{_DOC}/bird2/bird*.html"),
    Pair("bzip2-doc", f"{_DOC}/bzip2/manual.pdf.gz", f"{_DOC}/bzip2/manual.html"),
    Pair("cl-asdf", f"{_DOC}/cl-asdf/asdf.pdf.gz", f"{_DOC}/cl-asdf/asdf.html"),
    Pair(
        "dbconfig-common",
        f"{_DOC}/dbconfig-common/dbconfig-common.pdf.gz",
        f"{_DOC}/dbconfig-common/dbconfig-common.html/*.html",
    ),
    Pair("debian-faq", f"{_DOC}/debian/FAQ/debian-faq.en.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.en.txt.gz"),
    Pair(
        "debian-faq-de", f"{_DOC}/debian/FAQ/debian-faq.de.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.de.txt.gz"
    ),
    Pair(
        "debian-faq-fr", f"{_DOC}/debian/FAQ/debian-faq.fr.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.fr.txt.gz"
    ),
    Pair(
        "debian-faq-it", f"{_DOC}/debian/FAQ/debian-faq.it.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.it.txt.gz"
    ),
    Pair(
        "debian-faq-nl", f"{_DOC}/debian/FAQ/debian-faq.nl.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.nl.txt.gz"
    ),
    Pair(
        "debian-faq-pt", f"{_DOC}/debian/FAQ/debian-faq.pt.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.pt.txt.gz"
    ),
    Pair(
        "debian-faq-ru", f"{_DOC}/debian/FAQ/debian-faq.ru.pdf.gz", f"{_DOC}/debian/FAQ/debian-faq.ru.txt.gz"
    ),
    Pair("debian-policy", f"{_DOC}/debian-policy/policy.pdf.gz", f"{_DOC}/debian-policy/policy.html/*.html"),
    Pair(
        "developers-reference",
        f"{_REFERENCE}/developers-reference.pdf",
        f"{_REFERENCE}/developers-reference.txt.gz",
    ),
    Pair(
        "developers-reference-de",
        f"{_REFERENCE}/de/developers-reference.pdf",
        f"{_REFERENCE}/de/developers-reference.txt.gz",
    ),
    Pair(
        "developers-reference-fr",
        f"{_REFERENCE}/fr/developers-reference.pdf",
        f"{_REFERENCE}/fr/developers-reference.txt.gz",
    ),
    Pair("fai-doc", f"{_DOC}/fai-doc/fai-guide.pdf", f"{_DOC}/fai-doc/fai-guide.html"),
    Pair("gnu-standards", f"{_DOC}/gnu-standards/standards.pdf.gz", f"{_DOC}/gnu-standards/standards.html"),
    Pair("libgcrypt20-doc", f"{_DOC}/libgcrypt20-doc/gcrypt.pdf.gz", f"{_DOC}/libgcrypt20-doc/html/*.html"),
    Pair("linuxdoc-tools", f"{_DOC}/linuxdoc-tools/guide.pdf", f"{_DOC}/linuxdoc-tools/html/*.html"),
    Pair(
        "maint-guide-de",
        f"{_DOC}/maint-guide-de/maint-guide.de.pdf",
        f"{_DOC}/maint-guide-de/maint-guide.de.txt.gz",
    ),
    Pair(
        "maint-guide-es",
        f"{_DOC}/maint-guide-es/maint-guide.es.pdf",
        f"{_DOC}/maint-guide-es/maint-guide.es.txt.gz",
    ),
    Pair(
        "maint-guide-vi",
        f"{_DOC}/maint-guide-vi/maint-guide.vi.pdf",
        f"{_DOC}/maint-guide-vi/maint-guide.vi.txt.gz",
    ),
    Pair("menhir-doc", f"{_DOC}/menhir/manual.pdf.gz", f"{_DOC}/menhir/manual.html"),
    Pair("numdiff", f"{_DOC}/numdiff/numdiff.pdf.gz", f"{_DOC}/numdiff/numdiff.html"),
    Pair("nut-doc", f"{_DOC}/nut-doc/pdf/user-manual.pdf", f"{_DOC}/nut-doc/html/user-manual/*.html"),
    Pair("stow", f"{_DOC}/stow/manual.pdf.gz", f"{_DOC}/stow/manual-single.html"),
    Pair("xfpt", f"{_DOC}/xfpt/xfpt.pdf.gz", f"{_DOC}/xfpt/xfpt.html"),
]


def count_words(text: str) -> Counter[str]:
    """Count the words of a text; numbers are left out, since pages of books have some more."""
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def compute_f1(found: Counter[str], wanted: Counter[str]) -> float:
    """Return the F1 of words, each counted as often as it occurs."""
    return 2 * (found & wanted).total() / max(1, found.total() + wanted.total())


def read_file(path: Path) -> bytes:
    """Read a file, packed or not."""
    body = path.read_bytes()
    return gzip.decompress(body) if path.suffix == ".gz" else body


def read_other_form(pair: Pair) -> str:
    """Return the text of the same document in HTML or plain text; "" if it is not installed."""
    pattern = ROOT / pair.other
    texts = []
    for path in sorted(pattern.parent.glob(pattern.name)):
        if ".txt" in path.name:
            texts.append(read_file(path).decode("utf-8", "replace"))
        elif path.name not in _NOT_IN_PRINT:
            texts.append(html.read(read_file(path), "http://a.example/", "text/html").text)
    return "\n".join(texts)


def read_by_poppler(body: bytes) -> str:
    """Return what poppler's pdftotext prints."""
    done = subprocess.run(["pdftotext", "-", "-"], input=body, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def read_by_us(body: bytes) -> str:
    """Return what our reader reads."""
    reader = find_reader("pdf")
    assert reader is not None
    return reader(body, "http://a.example/").text


READERS: dict[str, Callable[[bytes], str]] = {"gossamer": read_by_us, "pdftotext": read_by_poppler}


def measure_pdf() -> dict[str, float]:
    """Compare the words of each PDF with those of its other form, by each reader."""
    if shutil.which("pdftotext") is None:
        print("pdftotext is missing: apt-get install poppler-utils", file=sys.stderr)
        return {}
    scores: dict[str, list[float]] = {name: [] for name in READERS}
    spent_s = dict.fromkeys(READERS, 0.0)
    missing = []
    for pair in PAIRS:
        wanted = count_words(read_other_form(pair))
        if not wanted or not (ROOT / pair.pdf).exists():
            missing.append(pair.package)
            continue
        body = read_file(ROOT / pair.pdf)
        for name, read in READERS.items():
            began_s = _read_cpu_clock()
            text = read(body)
            spent_s[name] += _read_cpu_clock() - began_s
            scores[name].append(compute_f1(count_words(text), wanted))
        line = "  ".join(f"{name} {found[-1]:.4f}" for name, found in scores.items())
        print(f"{pair.package:24} {wanted.total():8,} words  {line}", file=sys.stderr)
    if missing:
        print(f"not installed: apt-get install {' '.join(missing)}", file=sys.stderr)
        return {}
    ours, theirs = scores["gossamer"], scores["pdftotext"]
    return {
        "documents.pdf_f1": sum(ours) / len(ours),
        "documents.pdf_least_f1": min(ours),
        "documents.pdf_f1_vs_poppler": sum(ours) / sum(theirs),
        "documents.pdf_time_vs_poppler": spent_s["gossamer"] / spent_s["pdftotext"],
    }


def _read_cpu_clock() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    ours, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + others.ru_utime + others.ru_stime


def measure_hostile(documents: int) -> dict[str, float]:
    """Read hostile documents; count crashes of the reader's parts that became no value, and find the largest costs."""
    causes: Counter[str] = Counter()
    slowest_s, hung = 0.0, 0
    with DocumentReaders(LIMITS, workers=1) as readers:
        for number, (form, body) in enumerate(_make_documents(documents), 1):
            began_s = time.monotonic()
            found = readers.read(UnreadDocument(form, "http://a.example/", body))
            took_s = time.monotonic() - began_s
            slowest_s = max(slowest_s, took_s)
            hung += took_s > LIMITS.wall_s + DONE_S
            causes["read" if isinstance(found, DocumentContent) else found.cause] += 1
            if number % 100 == 0:
                print(
                    f"{number:6,} hostile documents: {dict(causes)}, slowest {slowest_s:.1f} s",
                    file=sys.stderr,
                )
    # Children whose peak is counted have ended: those that were killed, retired or closed.
    peak_bytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {
        "documents.hostile_read": float(causes.total()),
        "documents.hostile_hung": float(hung),
        "documents.hostile_memory_vs_limit": peak_bytes / LIMITS.memory_bytes,
        "documents.hostile_slowest_s": slowest_s,
    }


def _make_documents(documents: int) -> Iterator[tuple[str, bytes]]:
    return (make_hostile_document(seed) for seed in range(documents))


def measure() -> dict[str, float]:
    """Measure all; return the figures that have floors."""
    at = sys.argv.index("--hostile") + 1 if "--hostile" in sys.argv else 0
    return measure_pdf() | compare_office_readers() | measure_hostile(int(sys.argv[at]) if at else HOSTILE)


if __name__ == "__main__":
    if "--packages" in sys.argv[1:]:
        print(" ".join(pair.package for pair in PAIRS))
        sys.exit(0)
    sys.exit(run_benchmark("documents", measure, "--json" in sys.argv[1:]))
