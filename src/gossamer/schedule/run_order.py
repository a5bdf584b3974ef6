"""What a runner tells the process of a run, and where that process writes what it found."""

from pathlib import Path

import msgspec

from gossamer.schedule.journal.journal_records import News

_NEWS = msgspec.json.Decoder(News)


class RunOrder(msgspec.Struct, frozen=True):
    """One run, as its process is told."""

    number: int
    tries: int
    do: str
    web: str
    arguments: tuple[str, ...]
    folder: str
    """Of the runner's own files."""
    output: str
    """Where the verb prints to."""
    file: int
    """The descriptor of the run's file, which its process inherits."""


def locate_news(folder: Path, number: int) -> Path:
    """Return where the process of a run writes what it found."""
    return folder / f"{number}.news"


def read_news_file(folder: Path, number: int) -> News | None:
    """Return what a run found; None if its process did not write it."""
    try:
        return _NEWS.decode(locate_news(folder, number).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
