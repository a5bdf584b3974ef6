"""The verb `gossamer export corpus`: write the sentences of a web to a file or to standard output."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.store.export.corpus import CorpusCounts, SentencesOf
    from gossamer.web import Web

STANDARD_OUTPUT = Path("-")


class CorpusOptions(msgspec.Struct, frozen=True):
    """Which sentences to export, and how."""

    languages: Sequence[str]
    fewest_words: int
    frequencies: bool
    keep: Callable[[str], bool]
    json: bool


def export_corpus(web: Path, out: Path, options: CorpusOptions) -> int:
    """Write the corpus and print a summary; standard output, if chosen, gets only sentences."""
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.store.export.corpus import choose_form, word_list_path, write_corpus
    from gossamer.web import open_to_read

    if out == STANDARD_OUTPUT and options.frequencies:
        raise BadInput("word frequencies are written beside a file: name one, for example corpus.txt")
    if out != STANDARD_OUTPUT:
        choose_form(out)
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        every = max(1, opened.store.counts()["pages"])

        def show_counts(counts: "CorpusCounts") -> None:
            progress(min(1.0, counts.pages / every))

        pages = _read_sentences(opened, options)
        if out == STANDARD_OUTPUT:
            _print_sentences(pages, options.json, show_counts)
            return 0
        counts = write_corpus(pages, out, options.frequencies, show_counts)
    words = word_list_path(out) if options.frequencies else None
    _print_summary(out, words, counts, options.json)
    if not counts.pages:
        print("gossamer: the archive of this web has no readable page.", file=sys.stderr)  # noqa: T201
    return int(not counts.pages)


def _read_sentences(opened: "Web", options: CorpusOptions) -> "SentencesOf":
    from gossamer.crawl.from_archive.archived_pages import read_archived_pages
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.detection.corpus_sentences import sentences_of
    from gossamer.text.language.language_codes import resolve_languages

    model = language_model(opened.folder)
    languages = frozenset(resolve_languages(options.languages, model))
    documents = read_archived_pages(opened.store, opened.folder / "archive")
    return (
        (page, sentences_of(document, languages, options.fewest_words, model))
        for page, document in documents
        if options.keep(page.url)
    )


def _print_sentences(
    pages: "SentencesOf", as_json: bool, on_progress: "Callable[[CorpusCounts], None]"
) -> None:
    from gossamer.store.export.corpus import CorpusCounts, drop_duplicates, write_lines

    with tempfile.TemporaryDirectory(prefix="gossamer-corpus-") as folder:
        rows = drop_duplicates(pages, Path(folder), CorpusCounts(), on_progress)
        write_lines(rows, sys.stdout.buffer, "jsonl" if as_json else "text")
        sys.stdout.buffer.flush()


def _print_summary(out: Path, words: Path | None, counts: "CorpusCounts", as_json: bool) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    if as_json:
        summary = {"path": str(out), "counts": msgspec.to_builtins(counts)}
        print_json(summary | ({"frequencies": str(words)} if words else {}))
        return
    console.print(
        f"{out}: {format_count(counts.sentences, 'sentence')} of {format_count(counts.pages, 'page')}, "
        f"{format_count(counts.duplicates, 'duplicate')} left out",
        markup=False,
    )
    if words:
        console.print(f"{words}: the frequency of each word", markup=False)
