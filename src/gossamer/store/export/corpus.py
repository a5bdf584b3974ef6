"""Write a text corpus: sentences with their URLs, without duplicates, as text, JSON lines or Parquet.

Two passes over a spool on disk, since duplicates are known only after all sentences are read. Memory is bounded.
"""

import csv
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from gossamer.atomic_file import make_temporary_folder
from gossamer.errors import BadInput, StoreFailed
from gossamer.records import Page
from gossamer.store.export import parquet_files
from gossamer.store.export.export_web import create_atomically
from gossamer.store.export.near_duplicates import NearDuplicates
from gossamer.store.export.table_columns import ColumnType
from gossamer.store.export.word_counts import WordCounts
from gossamer.store.record_rows import replace_surrogates
from gossamer.text.language.detection.corpus_sentences import Sentence, WordLengths, split_words

CorpusForm = Literal["text", "jsonl", "parquet"]
_FORMS: dict[str, CorpusForm] = {".txt": "text", ".jsonl": "jsonl", ".parquet": "parquet"}
_COLUMNS: dict[str, ColumnType] = {"text": "text", "url": "text", "language": "text"}
_JSON = msgspec.json.Encoder()


class CorpusRow(msgspec.Struct, frozen=True, gc=False):
    """A sentence, its URL and its language."""

    text: str
    url: str
    language: str


_ROW = msgspec.json.Decoder(CorpusRow)


class CorpusCounts(msgspec.Struct):
    """What a corpus contains."""

    pages: int = 0
    """Pages that were read."""
    sentences: int = 0
    """Sentences that were written."""
    duplicates: int = 0
    """Sentences that were left out, as equal or nearly equal to an earlier one."""


class ByteSink(Protocol):
    """Takes the lines of a corpus: a file, or the program's output."""

    def write(self, line: bytes, /) -> object:
        """Write a line."""
        ...


OnProgress = Callable[[CorpusCounts], None]
SentencesOf = Iterable[tuple[Page, Iterable[Sentence]]]


def choose_form(out: Path) -> CorpusForm:
    """Return the format of a corpus file by the suffix of its name."""
    if out.suffix not in _FORMS:
        raise BadInput(f"{out}: the name of a corpus file ends in one of {', '.join(_FORMS)}")
    return _FORMS[out.suffix]


def word_list_path(out: Path) -> Path:
    """Return the path of the word list of a corpus."""
    return out.with_name(f"{out.stem}.words.tsv")


def write_corpus(
    pages: SentencesOf,
    out: Path,
    with_frequencies: bool,
    on_progress: OnProgress,
    lengths: WordLengths | None = None,
) -> CorpusCounts:
    """Write the sentences of pages to a new file, and if wanted the frequencies of words of some lengths beside it."""
    form = choose_form(out)
    with ExitStack() as stack:
        new = stack.enter_context(create_atomically(out, folder=False))
        stack.enter_context(_explain_sqlite_failures(out))
        words = (
            stack.enter_context(create_atomically(word_list_path(out), folder=False))
            if with_frequencies
            else None
        )
        folder = stack.enter_context(make_temporary_folder(out.parent))
        counts = CorpusCounts()
        counting = WordCounts(folder / "counts") if words else None
        rows = _count_words(
            drop_duplicates(pages, folder, counts, on_progress), counting, lengths or WordLengths()
        )
        if form == "parquet":
            parquet_files.write_rows(_COLUMNS, (msgspec.structs.astuple(row) for row in rows), new)
        else:
            with new.open("wb") as file:
                write_lines(rows, file, form)
        if words is not None and counting is not None:
            _write_frequencies(counting, words)
    return counts


@contextmanager
def _explain_sqlite_failures(out: Path) -> Iterator[None]:
    """Words are counted in a temporary database, which a full disk stops too."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreFailed(f"{out} could not be written: {error}") from error


def write_lines(rows: Iterable[CorpusRow], file: ByteSink, form: CorpusForm) -> None:
    """Write one sentence on each line: as JSON, or as text, a tab and the URL."""
    for row in rows:
        file.write(_encode_row(row) if form == "jsonl" else f"{row.text}\t{row.url}\n".encode())


def drop_duplicates(
    pages: SentencesOf, folder: Path, counts: CorpusCounts, on_progress: OnProgress
) -> Iterator[CorpusRow]:
    """Yield the sentences of pages in order, without duplicates; `folder` is for temporary files."""
    with closing(NearDuplicates(folder)) as similar:
        yield from _drop_duplicates(pages, folder / "spool", similar, counts, on_progress)


def _drop_duplicates(
    pages: SentencesOf, spool: Path, similar: NearDuplicates, counts: CorpusCounts, on_progress: OnProgress
) -> Iterator[CorpusRow]:
    with spool.open("wb") as file:
        for page, sentences in pages:
            for sentence in sentences:
                if similar.add(sentence.digest, sentence.text):
                    file.write(_encode_row(CorpusRow(sentence.text, page.url, sentence.language)))
                else:
                    counts.duplicates += 1
            counts.pages += 1
            on_progress(counts)
    new = similar.find_new()
    counts.duplicates += len(new) - int(new.sum())
    with spool.open("rb") as file:
        for line, is_new in zip(file, new, strict=True):
            if is_new:
                counts.sentences += 1
                yield _ROW.decode(line)
    on_progress(counts)


def _encode_row(row: CorpusRow) -> bytes:
    try:
        return _JSON.encode(row) + b"\n"
    except UnicodeEncodeError:
        return _JSON.encode(replace_surrogates(row)) + b"\n"


def _count_words(
    rows: Iterator[CorpusRow], counting: WordCounts | None, lengths: WordLengths
) -> Iterator[CorpusRow]:
    for row in rows:
        if counting is not None:
            counting.add(row.language, lengths.select(split_words(row.text)))
        yield row


def _write_frequencies(counting: WordCounts, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        lines.writerow(["language", "word", "times", "share"])
        lines.writerows((*one[:3], f"{one.share:.9f}") for one in counting.rank_words())
    counting.close()
