"""Check an index: the checksums of its files, and which pages it has against those of its web."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from gossamer.errors import GossamerError
from gossamer.search.index.make_entry import is_indexed
from gossamer.search.index.search_index import Index, exists
from gossamer.search.links.static_rank import read_ranks
from gossamer.store.batch import Store

_FILES = ("fast", "fieldnorm", "idx", "pos", "store", "term", "del")
# The engine writes behind each file a JSON object with the checksum of what is before, its length, and a number.
_FOOTER = struct.Struct("<II")
_MAGIC = 1337
_PIECE_BYTES = 1 << 20


class IndexProblem(msgspec.Struct, frozen=True):
    """What is wrong with an index: `damaged`, `superfluous` or `behind`, how often, and an example."""

    name: str
    example: str
    count: int = 1


class _Footer(msgspec.Struct, frozen=True):
    crc: int


def check_index(folder: Path, store: Store | None) -> Iterator[IndexProblem]:
    """Yield what is wrong with the index in a folder; nothing if there is none. Without a store, check its files only.

    Cost: reading the index once; memory for the ids of all pages.
    """
    if not folder.is_dir():
        return
    damaged = [IndexProblem("damaged", f"{path.name}: {why}") for path, why in _check_files(folder)]
    yield from damaged
    if damaged or store is None:
        return
    if not exists(folder):
        yield IndexProblem("behind", "it is of another format, and is built anew", store.counts()["pages"])
        return
    try:
        index = Index(folder)
        known, _ = index.read_stamps()
    except (GossamerError, ValueError, OSError) as error:
        yield IndexProblem("damaged", str(error))
        return
    yield from _compare(known, store)


def _check_files(folder: Path) -> Iterator[tuple[Path, str]]:
    if not (folder / "meta.json").is_file():  # the engine would begin a new index
        yield folder / "meta.json", "it is missing"
    for path in sorted(folder.iterdir()):
        if path.suffix.removeprefix(".").partition(".")[0] in _FILES and not _matches_checksum(path):
            yield path, "it does not match its checksum"
    ranks = read_ranks(folder).rows["id"]
    if len(ranks) > 1 and not bool(np.all(ranks[1:] > ranks[:-1])):
        yield folder / "standing", "its pages are not in order"


def _matches_checksum(path: Path) -> bool:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size < _FOOTER.size:
            return False
        file.seek(size - _FOOTER.size)
        footer_bytes, magic = _FOOTER.unpack(file.read())
        body_bytes = size - _FOOTER.size - footer_bytes
        if magic != _MAGIC or body_bytes < 0:
            return False
        file.seek(body_bytes)
        try:
            footer = msgspec.json.decode(file.read(footer_bytes), type=_Footer)
        except msgspec.MsgspecError:
            return False
        file.seek(0)
        checksum = 0
        while body_bytes and (piece := file.read(min(_PIECE_BYTES, body_bytes))):
            checksum = zlib.crc32(piece, checksum)
            body_bytes -= len(piece)
        return checksum == footer.crc


def _compare(known: "np.ndarray[tuple[int], np.dtype[np.int64]]", store: Store) -> Iterator[IndexProblem]:
    """Compare the pages of an index with those of its web."""
    in_web = np.zeros(len(known), np.bool_)
    waiting, example = 0, ""
    for page in store.pages():
        at = int(np.searchsorted(known, page.id))
        if at < len(known) and known[at] == page.id:
            in_web[at] = True
        elif is_indexed(page) and page.warc:
            waiting, example = waiting + 1, example or page.url
    strangers = known[~in_web]
    if len(strangers):
        example_id = f"page id {int(strangers[0]) & (1 << 64) - 1:016x}"
        yield IndexProblem("superfluous", example_id, len(strangers))
    if waiting:
        yield IndexProblem("behind", example, waiting)
