"""The index of a web: pages go in as entries and come out by queries.

| field | holds | asked by |
|---|---|---|
| `words` | title, headings and main text, as terms with positions | everything |
| `title`, `anchors`, `url`, `rest` | the same of the title alone, of links that lead here, of the address, of the rest | everything |
| `parts` | the words that German compounds of all these are made of, without positions | words of one part |
| `host`, `domain` | the host; the host and every domain above it | `host:`, `site:` |
| `language`, `site`, `kind` | as they are, for counting too | `language:`, `type:` |
| `marks` | of each mark `name` and `name=value`, in lower case | `mark:` |
| `date`, `depth` | Unix seconds; links from a start page | `after:`, `before:`, `depth:` |
| `id`, `simhash`, `length`, `stamp` | numbers of a page, by `Index.numbers` | |
| `shown` | what is kept to show, by `Index.shown` | |
| `rank`, `in_links` | how it stands (`standing.py`), by `Index.standing`: no fields of the engine | |
"""

import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, StoreFailed
from gossamer.search.engine import tantivy
from gossamer.search.field_weights import WEIGHTS, Weights
from gossamer.search.index.document_fields import PARTS_FIELD, document_of
from gossamer.search.index.page_entry import Entry, Shown, unpacked
from gossamer.search.links.generic_anchor_texts import EmptyTexts, keep_empty_texts, read_empty_texts
from gossamer.search.links.static_rank import Standing, keep_standing, read_standing
from gossamer.search.terms.analysis import STEMMERS

FORMAT = 5
"""Of the index. Whoever changes fields or analysis adds one: an index of another format is built anew."""
TEXT_FIELDS = ("words", "title", "anchors", "url", "rest")
_NAME_FIELDS = ("host", "domain", "marks")
COUNTED_FIELDS = ("language", "site", "kind")
_MOST_COUNTED = 50
_NUMBER_FIELDS = ("date", "depth")
_FAST_FIELDS = ("simhash", "length", "stamp")
_FORMAT_FILE = "format"
_HEAP_BYTES = 64_000_000
# A page that was found takes 300 bytes for as long as it is looked at.
_STAMPS_AT_ONCE = 500_000
# Words of queries are reduced by each of the largest languages of an index: more cost time and find little.
_MOST_LANGUAGES = 4
# Words are asked for again and again. A number that is remembered takes 200 bytes, and a tenth of the time of looking it up.
_MOST_REMEMBERED = 50_000
_LEAST_SHARE = 0.01


class Index:
    """An index in a folder, or in memory."""

    def __init__(self, folder: Path | None = None, weights: Weights = WEIGHTS) -> None:
        self.weights = weights
        self.schema = _schema()
        self._folder = folder
        self._engine = _opened(self.schema, folder)
        for name, analyser in _analysers().items():
            self._engine.register_tokenizer(name, analyser)
        self.searcher = self._engine.searcher()
        self._standing = read_standing(folder)
        self.empty_texts = read_empty_texts(folder)
        """Texts of links that name nothing."""
        self._languages: tuple[str, ...] | None = None
        self._whole: dict[str, dict[str, int]] | None = None
        self._having: dict[tuple[str, str], int] = {}

    @property
    def pages(self) -> int:
        """How many pages are in it."""
        return int(self.searcher.num_docs)

    @property
    def whole(self) -> dict[str, dict[str, int]]:
        """All its pages by language and by type, the most frequent first; "" for those without."""
        if self._whole is None:
            self._whole = self.counts(tantivy.Query.all_query(), ("language", "kind"), _MOST_COUNTED)[1]
        return self._whole

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of most of its pages that words are reduced by, the most frequent first; "" for none."""
        if self._languages is None:
            least = _LEAST_SHARE * self.pages
            told = [code for code, pages in self.whole["language"].items() if code and pages >= least]
            known = [code if code in STEMMERS else "" for code in told]
            self._languages = tuple(dict.fromkeys(known))[:_MOST_LANGUAGES] or ("",)
        return self._languages

    def writer(self) -> "Writer":
        """Return what writes into it; there can be one at a time."""
        return Writer(self, self._engine)

    def reload(self) -> None:
        """See what was written."""
        self._engine.reload()
        self.searcher = self._engine.searcher()
        if self._folder is not None:
            self._standing = read_standing(self._folder)
            self.empty_texts = read_empty_texts(self._folder)
        self._languages = None
        self._whole = None
        self._having.clear()

    def stamps(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids of all pages, ascending, and the stamp of each. Cost: some microseconds a page."""
        parts = max(1, self.pages // _STAMPS_AT_ONCE)
        bounds = [(2**64 * part // parts) - 2**63 for part in range(parts + 1)]
        found = [self._stamps(least, end - 1) for least, end in pairwise(bounds)]
        ids, stamps = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.argsort(ids)
        return ids[order], stamps[order]

    def _stamps(self, least: int, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return ids and stamps of the pages whose ids lie in a range."""
        query = tantivy.Query.range_query(self.schema, "id", tantivy.FieldType.Integer, least, most)
        hits = self.searcher.search(query, limit=max(1, self.pages), count=False).hits
        places = [place for _, place in hits]
        ids, stamps = (np.array(self.numbers(field, places), np.int64) for field in ("id", "stamp"))
        return ids, stamps

    def having(self, field: str, term: str) -> int:
        """Return how many pages have a term in a field."""
        known = self._having.get((field, term))
        if known is None:
            if len(self._having) >= _MOST_REMEMBERED:
                self._having.clear()
            known = self._having[field, term] = int(self.searcher.doc_freq(field, term))
        return known

    def numbers(self, field: str, places: "list[tantivy.DocAddress]") -> list[int]:
        """Return one number of each of some pages."""
        return [int(value or 0) for value in self.searcher.fast_field_values(field, places)]

    def standing(self, name: str, pages: Sequence[int]) -> list[int]:
        """Return `rank` or `in_links` of each of some pages."""
        return self._standing.numbers(name, pages)

    def take_standing(self, standing: Standing) -> None:
        """Know from now on how pages stand."""
        self._standing = standing
        if self._folder is not None:
            keep_standing(standing, self._folder)

    def take_empty_texts(self, texts: EmptyTexts) -> None:
        """Know from now on which texts of links name nothing."""
        self.empty_texts = texts
        if self._folder is not None:
            keep_empty_texts(texts, self._folder)

    def shown(self, place: "tantivy.DocAddress") -> Shown:
        """Return what is kept of a page."""
        return unpacked(self.searcher.doc(place).get_first("shown") or "")

    def counts(
        self, query: "tantivy.Query", fields: Sequence[str], most: int = 10
    ) -> tuple[int, dict[str, dict[str, int]]]:
        """Count the pages that a query finds, altogether and by what each of some fields says of them.

        The most frequent come first, and only so many; "" stands for nothing being said. Cost: a pass over all of them.
        """
        asked = {field: {"terms": {"field": field, "size": most, "missing": ""}} for field in fields}
        told = self.searcher.aggregate(query, asked)
        found = {
            field: {str(bucket["key"]): int(bucket["doc_count"]) for bucket in told[field]["buckets"]}
            for field in fields
        }
        return sum(found[fields[0]].values()) + int(told[fields[0]]["sum_other_doc_count"]), found


class Writer:
    """Writes pages into an index. What was not committed when it ends is forgotten."""

    def __init__(self, index: Index, engine: "tantivy.Index") -> None:
        self._index = index
        try:
            self._writer = engine.writer(heap_size=_HEAP_BYTES, num_threads=1)
        except ValueError as error:
            raise BadInput(
                f"somebody else is writing this index now; wait until it is done ({error})"
            ) from None

    def put(self, entry: Entry) -> None:
        """Take a page, in place of what there was of it."""
        self.remove(entry.id)
        self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take a page that was not there."""
        self._writer.add_document(document_of(entry, self._index.weights))

    def remove(self, page: int) -> None:
        """Forget a page."""
        self._writer.delete_documents_by_term("id", page)

    def commit(self) -> None:
        """Keep what was written, whole or not at all."""
        try:
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise StoreFailed(f"the index could not be written: {error}") from error
        self._index.reload()

    def close(self) -> None:
        """Wait until files are in order."""
        self._writer.wait_merging_threads()


def exists(folder: Path) -> bool:
    """Say whether there is an index of this format in a folder."""
    written = folder / _FORMAT_FILE
    return written.is_file() and written.read_text("utf-8").strip() == str(FORMAT)


def _opened(schema: "tantivy.Schema", folder: Path | None) -> "tantivy.Index":
    if folder is None:
        return tantivy.Index(schema)
    try:
        if not exists(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            (folder / _FORMAT_FILE).write_text(f"{FORMAT}\n", "utf-8")
        return tantivy.Index(schema, str(folder))
    except (OSError, ValueError) as error:
        raise StoreFailed(
            f"the index in {folder} cannot be opened: {error}; remove that folder and build it anew"
        ) from error


def _schema() -> "tantivy.Schema":
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", indexed=True, fast=True)
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="position")
    builder.add_text_field(PARTS_FIELD, tokenizer_name="terms", index_option="freq")
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


def _analysers() -> "dict[str, tantivy.TextAnalyzer]":
    """Return, by name, what makes terms of texts: by their spaces, and none at all of what is only kept."""
    whole = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return {
        "terms": tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build(),
        "nothing": whole.filter(tantivy.Filter.remove_long(1)).build(),
    }
