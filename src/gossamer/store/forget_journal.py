"""The name of the file that is in a web as long as pages are being forgotten."""

from pathlib import Path

JOURNAL = "forgetting"


def is_forgetting(folder: Path) -> bool:
    """Say whether a forgetting began in a web and has not ended."""
    return (folder / JOURNAL).exists()
