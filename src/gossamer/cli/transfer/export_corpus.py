"""The verb `gossamer export corpus`: write the sentences of a web to a file or to standard output."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.cli.output.terminal_text import clean_lines, escape_json, print_error
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.net.html.document import Document
    from gossamer.records import Page
    from gossamer.store.export.corpus import CorpusCounts, SentencesOf
    from gossamer.text.language.detection.corpus_sentences import Sentence
    from gossamer.web import Web

STANDARD_OUTPUT = Path("-")
_LEFT_OUT_SHOWN = 10


class CorpusOptions(msgspec.Struct, frozen=True):
    """Which sentences to export, and how."""

    languages: Sequence[str]
    fewest_words: int
    frequencies: bool
    keep: Callable[[str], bool]
    json: bool
    shortest_word: int = 1
    longest_word: int = 0
    """Words of other lengths do not count; 0 for no limit."""
    share: float = 0.0
    """Only sentences in a language that has at least this share of its page."""
    by_domain: bool = False
    """Write a folder with a file for each top-level domain."""


def export_corpus(web: Path, out: Path, options: CorpusOptions) -> int:
    """Write the corpus and print a summary; standard output, if chosen, gets only sentences."""
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.store.export.corpus import word_list_path, write_corpus
    from gossamer.store.export.domain_files import write_domain_files
    from gossamer.text.language.detection.corpus_sentences import WordLengths
    from gossamer.web import open_to_read

    _check_options(out, options)
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        every = max(1, opened.store.counts()["pages"])

        def show_counts(counts: "CorpusCounts") -> None:
            progress(min(1.0, counts.pages / every))

        left_out: list[str] = []
        pages = _read_sentences(opened, options, left_out)
        if out == STANDARD_OUTPUT:
            _print_sentences(pages, options.json, show_counts)
            return _report_missing(left_out)
        lengths = WordLengths(options.shortest_word, options.longest_word)
        counts = (
            write_domain_files(pages, out, show_counts)
            if options.by_domain
            else write_corpus(pages, out, options.frequencies, show_counts, lengths)
        )
    words = word_list_path(out) if options.frequencies else None
    _print_summary(out, words, counts, options.json, left_out)
    if not counts.pages:
        print_error("the archive of this web has no readable page.")
    return int(not counts.pages) or _report_missing(left_out)


def _check_options(out: Path, options: CorpusOptions) -> None:
    from gossamer.store.export.corpus import choose_form

    if options.longest_word and options.longest_word < options.shortest_word:
        raise BadInput("--longest-word is smaller than --shortest-word: no word would count")
    if options.by_domain:
        if options.frequencies or out == STANDARD_OUTPUT:
            raise BadInput(
                "--by-domain writes a folder of texts: name a new folder, and leave out --frequencies"
            )
    elif out != STANDARD_OUTPUT:
        choose_form(out)
    elif options.frequencies:
        raise BadInput("word frequencies are written beside a file: name one, for example corpus.txt")


def print_left_out(sentences: Sequence[str]) -> None:
    """Print what an export or an import left out, up to a few lines."""
    from gossamer.cli.output.tables import clean_text, console

    for line in sentences[:_LEFT_OUT_SHOWN]:
        console.print(f"left out: {clean_text(line, 300)}")
    if sentences[_LEFT_OUT_SHOWN:]:
        console.print(f"left out: {len(sentences) - _LEFT_OUT_SHOWN:,} more")


def _report_missing(left_out: Sequence[str]) -> int:
    """Print that pages are missing from the archive; return the exit code."""
    from gossamer.cli.output.wording import format_count

    if left_out:
        number = format_count(len(left_out), "page")
        print_error(f"{number} left out: damaged or missing in the archive; see `gossamer verify`.")
    return int(bool(left_out))


def _read_sentences(opened: "Web", options: CorpusOptions, left_out: list[str]) -> "SentencesOf":
    from gossamer.crawl.from_archive.archived_pages import read_archived_pages
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.detection.corpus_sentences import WordLengths, keep_sentences, sentences_of
    from gossamer.text.language.language_codes import resolve_languages

    model = language_model(opened.folder)
    languages = frozenset(resolve_languages(options.languages, model))

    def note_missing(page: "Page") -> None:
        if options.keep(page.url):
            left_out.append(page.url)

    lengths = WordLengths(options.shortest_word, options.longest_word)
    is_narrow = lengths != WordLengths()

    def choose(document: "Document") -> "Iterator[Sentence]":
        if not is_narrow and not options.share:
            return sentences_of(document, languages, options.fewest_words, model)
        found = sentences_of(document, fewest_words=options.fewest_words, model=model)
        return keep_sentences(
            found, languages, options.share, options.fewest_words, lengths if is_narrow else None
        )

    documents = read_archived_pages(opened.store, opened.folder / "archive", note_missing)
    return ((page, choose(document)) for page, document in documents if options.keep(page.url))


def _print_sentences(
    pages: "SentencesOf", as_json: bool, on_progress: "Callable[[CorpusCounts], None]"
) -> None:
    from gossamer.atomic_file import make_temporary_folder
    from gossamer.store.export.corpus import CorpusCounts, drop_duplicates, write_lines

    with make_temporary_folder(Path(tempfile.gettempdir())) as folder:
        rows = drop_duplicates(pages, folder, CorpusCounts(), on_progress)
        file = _TerminalLines(as_json) if sys.stdout.isatty() else sys.stdout.buffer
        write_lines(rows, file, "jsonl" if as_json else "text")
        sys.stdout.flush()


class _TerminalLines:
    """Writes lines to a terminal so that no character of a page can steer it; a pipe or a file gets them as they are."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def write(self, line: bytes, /) -> None:
        text = line.decode()
        sys.stdout.write(
            escape_json(text) if self._as_json else "\t".join(map(clean_lines, text.split("\t")))
        )


def _print_summary(
    out: Path, words: Path | None, counts: "CorpusCounts", as_json: bool, left_out: Sequence[str]
) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    if as_json:
        summary = {"path": str(out), "counts": msgspec.to_builtins(counts), "left_out": list(left_out)}
        print_json(summary | ({"frequencies": str(words)} if words else {}))
        return
    console.print(
        f"{out}: {format_count(counts.sentences, 'sentence')} of {format_count(counts.pages, 'page')}, "
        f"{format_count(counts.duplicates, 'duplicate')} left out"
    )
    print_left_out(left_out)
    if words:
        console.print(f"{words}: the frequency of each word")
