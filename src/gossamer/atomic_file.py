"""Write a file or a folder atomically: readers see the old one or the new one, never a part."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; afterwards rename what was written there, or remove it after an error.

    Processes that have the old file open or mapped keep it. Nothing is synced to the disk.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield new
        new.replace(path)
    finally:
        with suppress(OSError):
            if new.is_dir():
                shutil.rmtree(new)
            else:
                new.unlink()
