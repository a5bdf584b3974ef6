"""The index of a web: write entries of pages, and search them by queries.

| field | holds | searched by |
|---|---|---|
| `words` | title, headings, main text and the texts of links to the page, as terms with positions | words and phrases |
| `title` | terms of the title alone | words and `title:` |
| `extra` | terms of the next two that are not in `words`, without positions | words |
| `rest`, `url` | terms of the rest of the text, of the address | phrases; `url:` |
| `names` | the title, its parts and texts of links to the page, each as one token (`index/page_names.py`) | whole queries |
| `exact` | different words of title and text as they are written, without positions; empty unless the index is exact | `exact:` |
| `parts` | terms of the parts of German compounds in all these, without positions | single words |
| `host`, `domain` | the host; the host and every domain above it | `host:`, `site:` |
| `language`, `site`, `kind` | as they are; also for counting | `language:`, `type:` |
| `marks` | `name` and `name=value` of each mark, in lower case | `mark:` |
| `date`, `depth` | Unix seconds; links from a start page | `after:`, `before:`, `depth:` |
| `id`, `simhash`, `length`, `stamp` | numbers of a page, read by `Index.read_numbers` | |
| `shown` | what is stored to show a page, read by `Index.load_page` | |
| `rank`, `in_links` | static rank (`links/static_rank.py`), by `Index.look_up_ranks`: not fields of the engine | |
"""

import copy
import shutil
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.search.engine import tantivy
from gossamer.search.field_weights import WEIGHTS, RankingWeights
from gossamer.search.index.checked_searcher import CheckedSearcher, read_checked
from gossamer.search.index.document_fields import EXACT_FIELD, EXTRA_FIELD, PARTS_FIELD, make_document
from gossamer.search.index.foreign_index import is_foreign, link_files
from gossamer.search.index.page_entry import Entry, IndexedPage, unpack_page
from gossamer.search.index.page_names import NAMES_FIELD
from gossamer.search.index.whole_statistics import WholeStatistics
from gossamer.search.links.generic_anchor_texts import GenericTexts, read_generic_texts, write_generic_texts
from gossamer.search.links.list_pages import ListPages, read_lists, write_lists
from gossamer.search.links.static_rank import StaticRanks, read_ranks, write_ranks
from gossamer.search.terms.analysis import LANGUAGES, TermTables
from gossamer.search.terms.base_forms import measure_dictionaries
from gossamer.store.folder_access import share_files

FORMAT = 6
"""Version of the index. Add one when fields or analysis change: an index of another format is built anew."""
TEXT_FIELDS = ("words", "title", "url", "rest")
_NAME_FIELDS = ("host", "domain", "marks", NAMES_FIELD)
COUNTED_FIELDS = ("language", "site", "kind")
_MOST_COUNTED = 50
_NUMBER_FIELDS = ("date", "depth")
_FAST_FIELDS = ("simhash", "length", "stamp")
_FORMAT_FILE = "format"
_EXACT = "exact"
_TEMPORARY_FILES = ".tmp??????"
# A segment that did not fit is removed again by the time that its error is reported.
_ROOM_BYTES = 1 << 21
_HEAP_BYTES = 64_000_000
# Each hit takes 300 bytes while its stamp is read.
_STAMPS_AT_ONCE = 500_000
# Base forms of query words are found in each of the largest languages of an index: more languages cost time and find little.
_MOST_LANGUAGES = 4
# Query words recur. A cached count takes 200 bytes, and a tenth of the time of looking it up.
_MOST_CACHED = 50_000
_LEAST_SHARE = 0.01


class Index:
    """An index in a folder, or in memory."""

    def __init__(
        self, folder: Path | None = None, weights: RankingWeights = WEIGHTS, exact: bool | None = None
    ) -> None:
        self.weights = weights
        self.exact = _is_exact(folder) if exact is None else exact
        """Whether it holds words as they are written; None leaves an index in a folder as it is."""
        self.schema = _make_schema()
        self.folder = folder
        self._links = link_files(folder, self) if folder is not None and is_foreign(folder) else None
        self._engine = _open_engine(self.schema, self._links or folder, self.exact)
        for name, analyser in _make_analysers().items():
            self._engine.register_tokenizer(name, analyser)
        self.searcher = CheckedSearcher(self._engine.searcher())
        self._ranks = read_ranks(folder)
        self._lists = read_lists(folder)
        self.generic_texts = read_generic_texts(folder)
        """Link texts that name no page."""
        self._languages: tuple[str, ...] | None = None
        self._totals: dict[str, dict[str, int]] | None = None
        self._page_counts: dict[tuple[str, str], int] = {}
        self._scoring = ""
        self.whole: WholeStatistics | None = None
        """Statistics of several webs of which this index is a part; None if it is searched alone."""
        self._alone: Index | None = None
        """With statistics of several webs: this index without them."""

    def with_statistics(self, whole: WholeStatistics) -> "Index":
        """Return this index with the statistics of several webs, so that the scores of all of them can be compared."""
        shared = copy.copy(self)
        shared.whole, shared._alone = whole, self._alone or self
        shared._languages = whole.languages or ("",)
        shared._page_counts = dict(whole.counts)
        return shared

    @property
    def own_pages(self) -> int:
        """The number of pages in this index."""
        return int(self.searcher.num_docs)

    @property
    def pages(self) -> int:
        """The number of indexed pages; with statistics of several webs, of all their pages."""
        return self.own_pages if self.whole is None else self.whole.pages

    @property
    def totals(self) -> dict[str, dict[str, int]]:
        """The number of pages by language and by kind, the most frequent first; "" for unknown ones."""
        if self._totals is None:
            self._totals = self.count(tantivy.Query.all_query(), ("language", "kind"), _MOST_COUNTED)[1]
        return self._totals

    @property
    def languages(self) -> tuple[str, ...]:
        """The largest languages of its pages, in which base forms of query words are found; "" for languages without a dictionary and a stemmer."""
        if self._languages is None:
            self._languages = choose_languages(self.totals["language"], self.pages)
        return self._languages

    @property
    def scoring(self) -> str:
        """What two indexes must share for their scores to be comparable: format, dictionaries and weights."""
        if not self._scoring:
            weights = blake2b(repr(self.weights).encode(), digest_size=4).hexdigest()
            self._scoring = f"{_describe_format(exact=False)} {weights}"
        return self._scoring

    def writer(self) -> "IndexWriter":
        """Return a writer; there can be one at a time."""
        if self._links is not None:
            raise BadInput(f"no permission to write the index in {self.folder}")
        return IndexWriter(self, self._engine)

    def reload(self) -> None:
        """Load what was committed since."""
        self._engine.reload()
        self.searcher = CheckedSearcher(self._engine.searcher())
        if self.folder is not None:
            self._ranks = read_ranks(self.folder)
            self._lists = read_lists(self.folder)
            self.generic_texts = read_generic_texts(self.folder)
        self._languages = None
        self._totals = None
        self._page_counts.clear()

    def read_stamps(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids of all pages, ascending, and the stamp of each. Cost: some microseconds a page."""
        parts = max(1, self.pages // _STAMPS_AT_ONCE)
        bounds = [(2**64 * part // parts) - 2**63 for part in range(parts + 1)]
        found = [self._read_stamps(least, end - 1) for least, end in pairwise(bounds)]
        ids, stamps = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.argsort(ids)
        return ids[order], stamps[order]

    def _read_stamps(self, least: int, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return ids and stamps of the pages whose ids are in a range."""
        query = tantivy.Query.range_query(self.schema, "id", tantivy.FieldType.Integer, least, most)
        hits = self.searcher.search(query, limit=max(1, self.pages), count=False).hits
        places = [place for _, place in hits]
        ids, stamps = (np.array(self.read_numbers(field, places), np.int64) for field in ("id", "stamp"))
        return ids, stamps

    def count_pages(self, field: str, term: str) -> int:
        """Return how many pages have a term in a field; of terms that statistics of several webs lack, an estimate."""
        known = self._page_counts.get((field, term))
        if known is None:
            if len(self._page_counts) >= _MOST_CACHED:
                self._page_counts.clear()
            if self._alone is None:
                known = int(self.searcher.doc_freq(field, term))
            else:
                known = round(self._alone.count_pages(field, term) * self.pages / max(1, self.own_pages))
            self._page_counts[field, term] = known
        return known

    def count_own_pages(self, field: str, term: str) -> int:
        """Return how many pages of this index have a term in a field."""
        return (self._alone or self).count_pages(field, term)

    def read_numbers(self, field: str, places: "list[tantivy.DocAddress]") -> list[int]:
        """Return the value of a numeric field for each of some pages."""
        values: list[int] = self.searcher.fast_field_values(field, places)
        return [value or 0 for value in values] if None in values else values

    def look_up_ranks(self, name: str, pages: Sequence[int]) -> list[int]:
        """Return `rank` or `in_links` of each of some pages."""
        return self._ranks.look_up(name, pages)

    def set_ranks(self, ranks: StaticRanks) -> None:
        """Replace the static ranks, in the folder too."""
        self._ranks = ranks
        if self.folder is not None:
            write_ranks(ranks, self.folder)

    def look_up_lists(self, pages: Sequence[int]) -> list[float]:
        """Return how far each of some pages is only a list of links, from 0 to 1."""
        return self._lists.look_up(pages)

    def set_lists(self, lists: ListPages) -> None:
        """Replace the list pages, in the folder too."""
        self._lists = lists
        if self.folder is not None:
            write_lists(lists, self.folder)

    def set_generic_texts(self, texts: GenericTexts) -> None:
        """Replace the generic link texts, in the folder too."""
        self.generic_texts = texts
        if self.folder is not None:
            write_generic_texts(texts, self.folder)

    def share(self) -> None:
        """Let those read its files who may read its folder: the engine writes some of them for their owner alone."""
        if self.folder is not None:
            share_files(self.folder)

    def load_page(self, place: "tantivy.DocAddress") -> IndexedPage:
        """Return what the index stores of a page."""
        return read_checked(self._load_page, place)

    def _load_page(self, place: "tantivy.DocAddress") -> IndexedPage:
        return unpack_page(self.searcher.plain.doc(place).get_first("shown") or "")

    def count(
        self, query: "tantivy.Query", fields: Sequence[str], most: int = 10
    ) -> tuple[int, dict[str, dict[str, int]]]:
        """Count the pages that a query finds, in total and by the values of some fields.

        Only the most frequent values are counted, in descending order; "" stands for no value. Cost: a pass over all pages found.
        """
        # Of one segment its most frequent values are enough; of several, values further down may add up to more. The engine
        # takes ten times as many of each segment, and looking up their names was two fifths of the time.
        each = most * min(10, max(1, 2 * self.searcher.num_segments - 1))
        terms = {
            field: {"terms": {"field": field, "size": most, "segment_size": each, "missing": ""}}
            for field in fields
        }
        result = self.searcher.aggregate(query, terms)
        found = {
            field: {str(bucket["key"]): int(bucket["doc_count"]) for bucket in result[field]["buckets"]}
            for field in fields
        }
        return sum(found[fields[0]].values()) + int(result[fields[0]]["sum_other_doc_count"]), found


class IndexWriter:
    """Writes pages into an index. What is not committed is lost when the writer ends."""

    def __init__(self, index: Index, engine: "tantivy.Index") -> None:
        self._index = index
        self._tables = TermTables()
        try:
            self._writer = engine.writer(heap_size=_HEAP_BYTES, num_threads=1)
        except ValueError as error:
            raise BadInput(
                f"another process is writing this index; wait until it has finished ({error})"
            ) from None
        # The engine leaves them behind when it is killed; there is one writer at a time.
        if index.folder is not None:
            remove_leftovers(index.folder)

    def put(self, entry: Entry) -> None:
        """Write a page, in place of its previous entry."""
        self.remove(entry.id)
        self.add(entry)

    def add(self, entry: Entry) -> None:
        """Write a page that has no entry yet."""
        document = make_document(entry, self._index.weights, self._tables, self._index.exact)
        try:
            self._writer.add_document(document)
        except (ValueError, OSError) as error:  # its thread ended, because the disk is full for example
            raise explain_write_failure(self._index.folder, error) from error

    def remove(self, page: int) -> None:
        """Remove a page."""
        try:
            self._writer.delete_documents_by_term("id", page)
        except (ValueError, OSError) as error:
            raise explain_write_failure(self._index.folder, error) from error

    def commit(self) -> None:
        """Make everything written visible, atomically."""
        try:
            self._writer.commit()
            self._index.share()
        except (ValueError, OSError) as error:
            raise explain_write_failure(self._index.folder, error) from error
        self._index.reload()

    def remove_unused_files(self) -> None:
        """Remove files that no searcher of a later commit needs."""
        self._writer.garbage_collect_files()

    def close(self) -> None:
        """Wait until background merges have finished."""
        self._writer.wait_merging_threads()
        self._index.share()


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed writer left: temporary files, and deletions that it did not commit.

    The next commit would give its deletions the same name, and refuse to write over them.
    """
    segments = msgspec.json.decode((folder / "meta.json").read_bytes())["segments"]
    named = {
        f"{one['segment_id'].replace('-', '')}.{one['deletes']['opstamp']}.del"
        for one in segments
        if one.get("deletes")
    }
    for left in (*folder.glob(_TEMPORARY_FILES), *folder.glob("*.del")):
        if left.name not in named:
            left.unlink(missing_ok=True)


def explain_write_failure(folder: Path | None, error: Exception) -> StoreFailed:
    """Return an exception that explains why an index could not be written; what was committed before stays."""
    # The engine reports a full disk as the end of a thread, and numpy as a number of bytes that were not written.
    free_bytes = (
        shutil.disk_usage(folder.parent).free
        if folder is not None and folder.parent.is_dir()
        else _ROOM_BYTES
    )
    if is_full_disk(error) or free_bytes < _ROOM_BYTES:
        return StoreFailed(
            "the index could not be written: the disk is full; make room and run `gossamer index` again",
            full=True,
        )
    return StoreFailed(f"the index could not be written: {getattr(error, 'strerror', None) or error}")


def choose_languages(counts: Mapping[str, int], pages: int) -> tuple[str, ...]:
    """Return the largest languages of some pages, given the number of pages by language; "" for languages without a dictionary and a stemmer."""
    large = [code for code, count in counts.items() if code and count >= _LEAST_SHARE * pages]
    known = [code if code in LANGUAGES else "" for code in large]
    return tuple(dict.fromkeys(known))[:_MOST_LANGUAGES] or ("",)


def exists(folder: Path) -> bool:
    """Say whether there is an index of this format in a folder."""
    written = folder / _FORMAT_FILE
    return written.is_file() and written.read_text("utf-8").strip() in map(_describe_format, (False, True))


def _is_exact(folder: Path | None) -> bool:
    written = folder / _FORMAT_FILE if folder is not None else None
    return written is not None and written.is_file() and _EXACT in written.read_text("utf-8").split()


def _describe_format(exact: bool) -> str:
    """Return the format of indexes made here; other dictionaries would give other terms for the same words."""
    return f"{FORMAT} {measure_dictionaries()}{f' {_EXACT}' if exact else ''}"


def _open_engine(schema: "tantivy.Schema", folder: Path | None, exact: bool) -> "tantivy.Index":
    if folder is None:
        return tantivy.Index(schema)
    try:
        known = exists(folder) and _is_exact(folder) == exact
        if not known:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            (folder / _FORMAT_FILE).write_text(f"{_describe_format(exact)}\n", "utf-8")
        engine = tantivy.Index(schema, str(folder))
        if not known:
            share_files(folder)
        return engine
    except (OSError, ValueError) as error:
        raise StoreFailed(
            f"the index in {folder} cannot be opened: {error}; remove that folder and build it anew"
        ) from error


def _make_schema() -> "tantivy.Schema":
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", indexed=True, fast=True)
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="position")
    builder.add_text_field(EXACT_FIELD, tokenizer_name="terms", index_option="basic")
    for field in (EXTRA_FIELD, PARTS_FIELD):
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    for field in _NAME_FIELDS:
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    for field in COUNTED_FIELDS:
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic", fast=True)
    for field in _NUMBER_FIELDS:
        builder.add_integer_field(field, indexed=True, fast=True)
    for field in _FAST_FIELDS:
        builder.add_integer_field(field, fast=True)
    builder.add_text_field("shown", stored=True, tokenizer_name="nothing", index_option="basic")
    return builder.build()


def _make_analysers() -> "dict[str, tantivy.TextAnalyzer]":
    """Return the tokenizers by name: one splits at spaces, the other gives no terms for text that is only stored."""
    whole = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return {
        "terms": tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build(),
        "nothing": whole.filter(tantivy.Filter.remove_long(1)).build(),
    }
