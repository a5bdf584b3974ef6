"""The names of segments and packs, and where their objects are."""

import re

import msgspec

from gossamer.errors import BadInput

_FETCHER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_NAME = re.compile(r"segment-(.+)-(\d{6,})-(\d{8,})\.warc\.gz\Z")
SEGMENTS = "segments"
PACKS = "packs"
INDEXES = "indexes"


class SegmentName(msgspec.Struct, frozen=True, gc=False):
    """The fetcher that wrote a segment, the epoch in which it did, and the number of the segment in that epoch."""

    fetcher: str
    epoch: int
    number: int

    def __str__(self) -> str:
        return f"segment-{self.fetcher}-{self.epoch:06}-{self.number:08}.warc.gz"


def check_fetcher(fetcher: str) -> str:
    """Return the name of a fetcher; raise BadInput if it cannot be part of the name of a file."""
    if not _FETCHER.match(fetcher):
        raise BadInput(
            f"{fetcher!r} cannot be the name of a fetcher: use letters, digits, dots, dashes and _"
        )
    return fetcher


def parse_segment_name(name: str) -> SegmentName | None:
    """Return the parts of a segment's name; None for other names."""
    found = _NAME.match(name)
    return SegmentName(found[1], int(found[2]), int(found[3])) if found else None


def locate_segment(name: str) -> str:
    """Return the name of a segment's object."""
    return f"{SEGMENTS}/{name}"


def locate_pack(name: str) -> str:
    """Return the name of a pack's object."""
    return f"{PACKS}/{name}"


def locate_index(pack: str) -> str:
    """Return the name of the object that holds the CDXJ index of a pack."""
    return f"{INDEXES}/{pack.removesuffix('.warc.gz')}.cdxj"


def find_indexed_pack(index: str) -> str:
    """Return the pack that an index object belongs to."""
    return index.removeprefix(f"{INDEXES}/").removesuffix(".cdxj") + ".warc.gz"
