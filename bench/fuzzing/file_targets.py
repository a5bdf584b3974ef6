"""Fuzz targets: files that come from elsewhere. Archives, graphs, and tables of other programs."""

import gzip
import random
import sqlite3
from contextlib import closing
from pathlib import Path

from fuzzing.damage import damage
from fuzzing.page_targets import Target
from fuzzing.random_inputs import make_page, make_texts
from gossamer.errors import BadInput
from gossamer.graph.files import read
from gossamer.net.warc_record_end import find_record_end
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.sqlite.column_reader import ColumnReader, ColumnTypeError, find_library


def _make_records(chance: random.Random) -> list[bytes]:
    """Return some WARC records, with lengths that are true or not."""
    records = []
    for number in range(chance.randint(1, 5)):
        body = make_page(chance)[:3_000]
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        kind = chance.choice(
            [b"response", b"response", b"request", b"revisit", b"resource", b"warcinfo", b"\xff"]
        )
        length = chance.choice([len(block)] * 8 + [0, 1, len(block) + 400, 2**40, -1])
        head = b"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: http://h.example/%d\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n"
        head += b"WARC-Record-ID: <urn:uuid:%d>\r\nContent-Length: %d\r\n\r\n"
        records.append(head % (kind, number, number, length) + block + b"\r\n\r\n")
    return records


def _read_archive(chance: random.Random, folder: Path) -> None:
    records = _make_records(chance)
    packs = chance.random() < 0.7
    content = b"".join(gzip.compress(one, 1) if packs else one for one in records)
    path = folder / f"a.warc{'.gz' if packs else ''}"
    path.write_bytes(damage(content, chance) if chance.random() < 0.8 else content)
    for exchange in ForeignWarcs([path]):
        len(exchange.body)
    reader = ArchiveReader(folder)
    size = path.stat().st_size
    for offset in (0, chance.randint(0, size + 5)):
        reader.read(WarcPosition(path.name, offset))
        with path.open("rb") as file:
            find_record_end(file, min(offset, size), size)


def _read_edge_file(chance: random.Random, folder: Path) -> None:
    numbers = [0, 1, 2, 3, -1, 2**31 - 1, 2**31, -(2**63), 2**63 - 1, 2**63, 10**30]
    few = chance.choice([numbers[:4], numbers])
    lines = [
        f"{chance.choice(few)}{chance.choice([',', ' ', ';', chr(9)])}{chance.choice(few)}"
        for _ in range(chance.choice([0, 5, 200]))
    ]
    nodes = [f'{number},"{name}"' for number, name in zip(numbers, make_texts(chance, 9, 30), strict=False)]
    for name, rows in (("edges.csv", lines), ("nodes.csv", nodes)):
        text = chance.choice(["\n", "\r\n"]).join(rows).encode("utf-8", "replace") + chance.choice(
            [b"\n", b"", b"#x"]
        )
        (folder / name).write_bytes(damage(text, chance) if chance.random() < 0.6 else text)
    try:
        read(folder / "edges.csv", chance.choice([None, folder / "nodes.csv"]))
    except BadInput:
        return


def _read_graphml(chance: random.Random, folder: Path) -> None:
    nodes = "".join(f"<node id='{n}'><data key='d'>{n}</data></node>" for n in range(5))
    edges = "".join(
        f"<edge source='{chance.randrange(5)}' target='{chance.randrange(5)}'/>" for _ in range(9)
    )
    head = "<graphml><key id='d' for='node' attr.name='name'/><graph edgedefault='directed'>"
    path = folder / "g.graphml"
    path.write_bytes(damage(f"{head}{nodes}{edges}</graph></graphml>".encode(), chance))
    try:
        read(path)
    except BadInput:
        return


def _read_columns(chance: random.Random, folder: Path) -> None:
    """Read tables that are empty, in several batches, of other types than asked for, or damaged."""
    path = folder / "columns.sqlite"
    path.unlink(missing_ok=True)
    values: list[object] = [None, 7, -(2**63), 1.5, "text", b"", b"\0" * chance.randint(0, 70_000)]
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table t (a, b, c)")
        texts = make_texts(chance, chance.choice([0, 1, 300]), 30)
        rows = [[at, text.encode("utf-8", "replace"), 0.5] for at, text in enumerate(texts)]
        if rows and chance.random() < 0.3:
            chance.choice(rows)[chance.randrange(3)] = chance.choice(values)
        database.executemany("insert into t values (?, ?, ?)", rows)
        database.commit()
    if chance.random() < 0.3:
        path.write_bytes(damage(path.read_bytes(), chance))
    library = find_library()
    assert library is not None
    try:
        reader = ColumnReader(path.as_uri(), library, 100)
        for columns in reader.read_batches(
            "select a, b, c from t", chance.choice(["nbn", "bbb", "nnn"]), 100
        ):
            for column in columns:
                len(column)
        reader.close()
    except (sqlite3.Error, ColumnTypeError):
        return


TARGETS: dict[str, Target] = {
    "archive": _read_archive,
    "graph file": _read_edge_file,
    "graphml": _read_graphml,
    "column reader": _read_columns,
}
