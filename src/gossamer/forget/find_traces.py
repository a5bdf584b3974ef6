"""Search every file of a web for a URL and texts: inside compressed WARC records, models and index entries too."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gossamer.errors import BadUrl, GossamerError, MissingExtra
from gossamer.forget.needles import Needles
from gossamer.net import url as urls
from gossamer.store.archive import http_message
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord
from gossamer.store.model_folder import topic_model, topic_names
from gossamer.store.opening.open_archive import list_committed_files
from gossamer.store.opening.web_location import find_database
from gossamer.store.opening.web_versions import INDEX, find_folder
from gossamer.store.page_pictures import find_shown_url

_PIECE_BYTES = 1 << 24
_AROUND = 8_192
_WARC = (".warc.gz", ".warc")


class Trace(msgspec.Struct, frozen=True):
    """A place at which a URL or a text was found."""

    file: str
    """Relative to the web."""
    where: str
    text: str
    is_quote: bool = False
    """Whether it stands in the archived text of another page, which is kept as it was received."""


class _Search:
    def __init__(self, url: str, texts: Sequence[str]) -> None:
        self.url = url
        self.needles = Needles([url] if url else [])
        self.texts = [text.encode() for text in texts if text]

    def find(self, data: bytes) -> list[str]:
        """Return which of the URL and the texts are in some bytes."""
        found = [self.url] if self.url and self.needles.is_in(data) else []
        return found + [text.decode() for text in self.texts if text in data]


def find_traces(folder: Path, what: str, texts: Sequence[str] = ()) -> Iterator[Trace]:
    """Yield where a URL or texts stand. Cost: reading every byte of the web, and unpacking its archive."""
    try:
        url = urls.canonical(what, rules=urls.TYPED_RULES) if "://" in what else ""
    except BadUrl:
        url = ""
    search = _Search(url, [*texts, *([] if url else [what])])
    if find_database(folder) is not None:
        yield from _search_database(folder, search)
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        name = str(path.relative_to(folder))
        yield from (Trace(name, "in its name", text) for text in search.find(name.encode("utf-8", "replace")))
        if path.name.endswith(_WARC):
            yield from _search_archive(path, name, search)
        else:
            yield from _search_bytes(path, name, search)
    yield from _search_topics(folder, search)
    yield from _search_index(folder, search)


def _search_database(folder: Path, search: _Search) -> Iterator[Trace]:
    """Search the rows of all tables, and all segments of the archive."""
    from gossamer.store.opening.web_location import read_database
    from gossamer.store.postgres.postgres_store import PostgresStore
    from gossamer.store.postgres.reading.table_bytes import read_table_bytes

    store = PostgresStore(read_database(folder), read_only=True)
    try:
        for table, rows in read_table_bytes(store.address):
            found = {text for row in rows for text in search.find(row)}
            yield from (Trace(table, "in its rows", text) for text in sorted(found))
        for name, path, _, _ in list_committed_files(folder / "archive", store.archive_ends()):
            if path is not None:
                yield from _search_archive(path, name, search)
    finally:
        store.close()


def _search_bytes(path: Path, name: str, search: _Search) -> Iterator[Trace]:
    found: set[str] = set()
    kept = b""
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            found.update(search.find(kept + piece))
            kept = piece[-_AROUND:]
    yield from (Trace(name, "in its bytes", text) for text in sorted(found))


def _search_archive(path: Path, name: str, search: _Search) -> Iterator[Trace]:
    for record in WarcReader(path):
        outside, payload = _split(record)
        about = f"in the {record.type} record at {record.offset}"
        yield from (Trace(name, about, text) for text in search.find(outside))
        is_own = find_shown_url(target_url(record)) == search.url
        yield from (Trace(name, f"{about}, in its text", text, not is_own) for text in search.find(payload))


def _split(record: WarcRecord) -> tuple[bytes, bytes]:
    """Split a record into its headers, of WARC and of HTTP, and its payload."""
    head = "\n".join(record.headers.values()).encode("utf-8", "replace")
    if record.type in ("resource", "conversion"):
        return head, record.block
    if record.type != "response":
        return head + b"\n" + record.block, b""
    http, payload = http_message.split_message(record.block)
    return head + b"\n" + http, _decode(http, payload)


def _decode(http: bytes, payload: bytes) -> bytes:
    from gossamer.crawl.from_archive.archived_pages import decode_content

    headers = dict(http_message.parse_headers(http))
    encoding = headers.get("content-encoding", "")
    return payload + b"\n" + decode_content(payload, encoding) if encoding else payload


def _search_topics(folder: Path, search: _Search) -> Iterator[Trace]:
    for name in topic_names(folder):
        try:
            card = topic_model(folder, name).card
        except GossamerError:
            continue
        found = search.find(msgspec.json.encode(card))
        yield from (Trace(f"models/{name}", "in an example of the topic", text) for text in found)


def _search_index(folder: Path, search: _Search) -> Iterator[Trace]:
    """Search what the index stores of pages; its other files were searched as bytes."""
    try:
        from gossamer.search.engine import tantivy
        from gossamer.search.index.search_index import Index, exists
    except MissingExtra:
        return
    path = find_folder(folder, INDEX)
    if not exists(path):
        return
    index = Index(path)
    hits = index.searcher.search(tantivy.Query.all_query(), limit=max(1, index.own_pages), count=False).hits
    for _, place in hits:
        page = index.load_page(place)
        is_own = bool(search.url) and page.url == search.url
        stored = msgspec.json.encode(page)
        yield from (
            Trace("index", f"in the entry of {page.url}", text, not is_own) for text in search.find(stored)
        )
