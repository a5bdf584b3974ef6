"""A text corpus out of a web: sentences with their URLs, each once, as text, JSON lines or Parquet.

Two passes over a spool on disk: which sentences are new can be said only when all are known. Memory is bounded.
"""

import csv
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from gossamer.errors import BadInput
from gossamer.records import Page
from gossamer.store.export import parquet_files
from gossamer.store.export.export_web import whole_or_not
from gossamer.store.export.near_duplicates import NearDuplicates
from gossamer.store.export.table_columns import ColumnType
from gossamer.store.export.word_counts import WordCounts
from gossamer.store.record_rows import replace_surrogates
from gossamer.text.language.detection.corpus_sentences import Sentence, split_words

CorpusForm = Literal["text", "jsonl", "parquet"]
_FORMS: dict[str, CorpusForm] = {".txt": "text", ".jsonl": "jsonl", ".parquet": "parquet"}
_COLUMNS: dict[str, ColumnType] = {"text": "text", "url": "text", "language": "text"}
_JSON = msgspec.json.Encoder()


class CorpusRow(msgspec.Struct, frozen=True, gc=False):
    """A sentence and where it stands."""

    text: str
    url: str
    language: str


_ROW = msgspec.json.Decoder(CorpusRow)


class CorpusCounts(msgspec.Struct):
    """What became a corpus."""

    pages: int = 0
    """That were read."""
    sentences: int = 0
    """That were written."""
    duplicates: int = 0
    """That stood elsewhere before, or nearly."""


OnProgress = Callable[[CorpusCounts], None]
SentencesOf = Iterable[tuple[Page, Iterable[Sentence]]]


def choose_form(out: Path) -> CorpusForm:
    """Say by its name what a corpus file is to be."""
    if out.suffix not in _FORMS:
        raise BadInput(f"{out}: a corpus is a file whose name ends in {', '.join(_FORMS)}")
    return _FORMS[out.suffix]


def word_list_path(out: Path) -> Path:
    """Return where the word list of a corpus is written."""
    return out.with_name(f"{out.stem}.words.tsv")


def write_corpus(pages: SentencesOf, out: Path, with_frequencies: bool, told: OnProgress) -> CorpusCounts:
    """Write the sentences of pages to a file that is not there yet, and beside it, if wanted, how often words occur."""
    form = choose_form(out)
    with ExitStack() as stack:
        new = stack.enter_context(whole_or_not(out, folder=False))
        words = (
            stack.enter_context(whole_or_not(word_list_path(out), folder=False)) if with_frequencies else None
        )
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}."))
        )
        counts = CorpusCounts()
        counting = WordCounts(folder / "counts") if words else None
        rows = _count_words(drop_duplicates(pages, folder, counts, told), counting)
        if form == "parquet":
            parquet_files.write_rows(_COLUMNS, (msgspec.structs.astuple(row) for row in rows), new)
        else:
            with new.open("wb") as file:
                write_lines(rows, file, form)
        if words is not None and counting is not None:
            _write_frequencies(counting, words)
    return counts


def write_lines(rows: Iterable[CorpusRow], file: BinaryIO, form: CorpusForm) -> None:
    """Write sentences a line each: as JSON, or as text, a tab and the URL."""
    for row in rows:
        file.write(_encode_row(row) if form == "jsonl" else f"{row.text}\t{row.url}\n".encode())


def drop_duplicates(
    pages: SentencesOf, folder: Path, counts: CorpusCounts, told: OnProgress
) -> Iterator[CorpusRow]:
    """Yield the sentences of pages, each once, in their order; `folder` is for what has to wait meanwhile."""
    similar = NearDuplicates(folder)
    spool = folder / "spool"
    with spool.open("wb") as file:
        for page, sentences in pages:
            for sentence in sentences:
                if similar.add(sentence.digest, sentence.text):
                    file.write(_encode_row(CorpusRow(sentence.text, page.url, sentence.language)))
                else:
                    counts.duplicates += 1
            counts.pages += 1
            told(counts)
    new = similar.find_new()
    counts.duplicates += len(new) - int(new.sum())
    with spool.open("rb") as file:
        for line, is_new in zip(file, new, strict=True):
            if is_new:
                counts.sentences += 1
                yield _ROW.decode(line)
    told(counts)


def _encode_row(row: CorpusRow) -> bytes:
    try:
        return _JSON.encode(row) + b"\n"
    except UnicodeEncodeError:
        return _JSON.encode(replace_surrogates(row)) + b"\n"


def _count_words(rows: Iterator[CorpusRow], counting: WordCounts | None) -> Iterator[CorpusRow]:
    for row in rows:
        if counting is not None:
            counting.add(row.language, split_words(row.text))
        yield row


def _write_frequencies(counting: WordCounts, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        lines.writerow(["language", "word", "times", "share"])
        lines.writerows((*one[:3], f"{one.share:.9f}") for one in counting.rank_words())
    counting.close()
