"""Write a corpus as one file for each top-level domain, as Stein's crawler did (Stein 1997, appendix A.1: country/name)."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from gossamer.atomic_file import make_temporary_folder
from gossamer.net.url import host
from gossamer.store.export.corpus import (
    CorpusCounts,
    CorpusRow,
    OnProgress,
    SentencesOf,
    drop_duplicates,
    write_lines,
)
from gossamer.store.export.export_web import create_atomically

# There are some 1,500 top-level domains; a process may often have 1,024 files open.
_MOST_OPEN = 200


def write_domain_files(pages: SentencesOf, out: Path, on_progress: OnProgress) -> CorpusCounts:
    """Write the sentences of pages into a new folder: `de.txt`, `org.txt`; hosts without a domain into `none.txt`."""
    counts = CorpusCounts()
    with create_atomically(out, folder=True) as new, make_temporary_folder(out.parent) as folder:
        _write_rows(drop_duplicates(pages, folder, counts, on_progress), new)
    return counts


def find_top_domain(url: str) -> str:
    """Return the top-level domain of a URL; `none` for an IP address and a name without a domain."""
    name = host(url).partition(":")[0] if not host(url).startswith("[") else ""
    last = name.rpartition(".")[2] if "." in name else ""
    return last.lower() if last and not last.isdecimal() else "none"


def _write_rows(rows: Iterable[CorpusRow], folder: Path) -> None:
    files: dict[str, BinaryIO] = {}
    try:
        for row in rows:
            domain = find_top_domain(row.url)
            if domain not in files:
                if len(files) >= _MOST_OPEN:
                    files.pop(next(iter(files))).close()
                files[domain] = (folder / f"{domain}.txt").open("ab")
            write_lines([row], files[domain], "text")
    finally:
        for file in files.values():
            file.close()
