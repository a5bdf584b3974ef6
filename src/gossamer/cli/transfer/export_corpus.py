"""`gossamer export corpus`: the sentences of a web, into a file or to standard output."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs: help has to answer at once
    from gossamer.store.export.corpus import CorpusCounts, SentencesOf
    from gossamer.web import Web

STANDARD_OUTPUT = Path("-")


class Wish(msgspec.Struct, frozen=True):
    """Which sentences are wanted, and what of them."""

    languages: Sequence[str]
    fewest_words: int
    frequencies: bool
    keep: Callable[[str], bool]
    json: bool


def export_corpus(web: Path, out: Path, wish: Wish) -> int:
    """Write the corpus, and say what it has; on standard output there is nothing but sentences."""
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.store.export.corpus import choose_form, word_list_path, write_corpus
    from gossamer.web import open_to_read

    if out == STANDARD_OUTPUT and wish.frequencies:
        raise BadInput("word frequencies are written beside a file: name one, such as corpus.txt")
    if out != STANDARD_OUTPUT:
        choose_form(out)
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        every = max(1, opened.store.counts()["pages"])

        def told(counts: "CorpusCounts") -> None:
            progress(min(1.0, counts.pages / every))

        pages = _sentences(opened, wish)
        if out == STANDARD_OUTPUT:
            _print(pages, wish.json, told)
            return 0
        counts = write_corpus(pages, out, wish.frequencies, told)
    words = word_list_path(out) if wish.frequencies else None
    _tell(out, words, counts, wish.json)
    if not counts.pages:
        print("gossamer: no page to read was found in the archive of this web.", file=sys.stderr)  # noqa: T201
    return int(not counts.pages)


def _sentences(opened: "Web", wish: Wish) -> "SentencesOf":
    from gossamer.crawl.archive.archived_pages import read_archived_pages
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.detection.corpus_sentences import sentences_of
    from gossamer.text.language.language_codes import resolve_languages

    model = language_model(opened.folder)
    languages = frozenset(resolve_languages(wish.languages, model))
    documents = read_archived_pages(opened.store, opened.folder / "archive")
    return (
        (page, sentences_of(document, languages, wish.fewest_words, model))
        for page, document in documents
        if wish.keep(page.url)
    )


def _print(pages: "SentencesOf", as_json: bool, told: "Callable[[CorpusCounts], None]") -> None:
    from gossamer.store.export.corpus import CorpusCounts, drop_duplicates, write_lines

    with tempfile.TemporaryDirectory(prefix="gossamer-corpus-") as folder:
        rows = drop_duplicates(pages, Path(folder), CorpusCounts(), told)
        write_lines(rows, sys.stdout.buffer, "jsonl" if as_json else "text")
        sys.stdout.buffer.flush()


def _tell(out: Path, words: Path | None, counts: "CorpusCounts", as_json: bool) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    if as_json:
        told = {"path": str(out), "counts": msgspec.to_builtins(counts)}
        print_json(told | ({"frequencies": str(words)} if words else {}))
        return
    console.print(
        f"{out}: {format_count(counts.sentences, 'sentence')} of {format_count(counts.pages, 'page')}, "
        f"{format_count(counts.duplicates, 'duplicate')} left out",
        markup=False,
    )
    if words:
        console.print(f"{words}: how often each word occurs", markup=False)
