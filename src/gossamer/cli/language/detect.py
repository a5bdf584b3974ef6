"""`gossamer language detect`: name the language of files, lines or pages of a web."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gossamer.cli.input_files import STANDARD_INPUT, check_readable, read_bytes
from gossamer.cli.language.language_options import (
    Languages,
    ModelFile,
    OptionalWeb,
    Plot,
    extract_text,
    load_model,
    parse_languages,
    split_lines,
)
from gossamer.cli.task_options import Json
from gossamer.reports.word_frequencies import count_words, make_zipf_figure

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.text.language.verdict import Verdict

_NAME_WIDTH = 18
_SOURCE_CHARS = 300
_GUESSES_SHOWN = 3
_UNSURE = "unsure"


class _InputText(NamedTuple):
    """A text and where it comes from."""

    source: str
    text: str


def detect(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Text or HTML files; - is standard input.", metavar="[FILE…]")
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Treat each line as a separate text.")] = False,
    languages: Languages = "",
    web: OptionalWeb = None,
    model: ModelFile = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Detect the language of texts, and whether they are running text or lists and tables.

    Without files, the texts are the pages of --web, after a summary by language, or else standard input. Where the
    best language is less than 70 % likely, the output says unsure and lists candidates.

    \b
    gossamer language detect letter.txt page.html
    echo 'Dies ist ein deutscher Satz.' | gossamer language detect
    gossamer language detect --lines --languages da,nb < sentences.txt
    gossamer language detect --web docs.web --json
    """
    from gossamer.cli.output.plot_files import check_plot
    from gossamer.text.language.detection.detect_language import detect as detect_language

    for path in files or ():
        check_readable(path)
    check_plot(plot)
    known = load_model(web, model)
    allowed = parse_languages(languages, known)
    by_language: list[tuple[str, str]] = []
    waits = web is not None and not files and not json  # for the summary, which comes first
    waiting: list[tuple[str, Verdict]] = []
    for one in _read_texts(files or [], web, lines):
        verdict = detect_language(one.text, allowed, known)
        if waits:
            waiting.append((one.source, verdict))
        else:
            _show(one.source, verdict, json)
        if plot is not None and verdict.language:
            by_language.append((verdict.language, one.text))
    if waits:
        _summarise([verdict for _, verdict in waiting], "line" if lines else "page")
        for source, verdict in waiting:
            _show(source, verdict, json)
    if plot is not None:
        _draw(by_language, plot)
    return 0


def _read_texts(files: list[Path], web: Path | None, lines: bool) -> Iterator[_InputText]:
    if not files and web is not None:
        texts = _read_pages(web)
    else:
        texts = (
            _InputText(str(path), extract_text(read_bytes(path), path.name))
            for path in files or [STANDARD_INPUT]
        )
    for one in texts:
        if lines:
            yield from (_InputText(f"{one.source}:{number}", line) for number, line in split_lines(one.text))
        else:
            yield one


def _read_pages(web: Path) -> Iterator[_InputText]:
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.from_archive.archived_pages import read_archived_pages
    from gossamer.net import html
    from gossamer.web import open_to_read

    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        pages = max(1, opened.store.counts()["pages"])
        for number, (page, document) in enumerate(
            read_archived_pages(opened.store, opened.folder / "archive"), 1
        ):
            yield _InputText(page.url, html.main_text(document) or document.text)
            progress(min(1.0, number / pages))


def _summarise(verdicts: "Sequence[Verdict]", unit: str) -> None:
    """Print how many pages are in each language, the most frequent first."""
    from gossamer.cli.output.tables import print_table
    from gossamer.cli.output.wording import format_count

    by_name: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_name.setdefault(_name_verdict(verdict), []).append(verdict)
    rows = [
        (name, of.language or "" if of.sure else "", len(each), sum(one.running for one in each))
        for name, each in sorted(by_name.items(), key=lambda one: (-len(one[1]), one[0]))
        for of in each[:1]
    ]
    shares = [(*row[:3], f"{row[2] / len(verdicts):.1%}", row[3]) for row in rows]
    columns = ("language", "code", f"{unit}s", "share", "running text")
    print_table(f"Languages of {format_count(len(verdicts), unit)}", columns, shares)


def _name_verdict(verdict: "Verdict") -> str:
    """Return the name of the language, "unsure" if it is a guess, and "unknown" if there is none."""
    from gossamer.text.language.language_names import name_language

    return name_language(verdict.language) if verdict.sure or verdict.language is None else _UNSURE


def _show(source: str, verdict: "Verdict", json: bool) -> None:
    from gossamer.text.language.language_names import name_language

    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(_make_facts(source, verdict))
        return
    from gossamer.cli.output.tables import clean_text, console

    guesses = verdict.candidates[1:2] if verdict.sure else verdict.candidates[:_GUESSES_SHOWN]
    also = ", ".join(f"{name_language(one.language)} {one.share:.1%}" for one in guesses)
    kind = "running text" if verdict.running else "no running text" if verdict.language else ""
    name = f"{_name_verdict(verdict):{_NAME_WIDTH}} {verdict.language or '' if verdict.sure else '':4}"
    share = f"{verdict.confidence:6.1%}" if verdict.sure else ""
    source = clean_text(source, _SOURCE_CHARS)
    console.print(f"{name} {share:6}  {kind:15}  {also:25} {source}".rstrip())


def _make_facts(source: str, verdict: "Verdict") -> dict[str, Any]:
    import msgspec

    from gossamer.text.language.language_names import name_language

    return {"source": source, "name": name_language(verdict.language), **msgspec.to_builtins(verdict)}


def _draw(by_language: list[tuple[str, str]], plot: Path) -> None:
    from gossamer.cli.output.plot_files import write_plot
    from gossamer.reports.analysis import Analysis, ResultTable
    from gossamer.text.language.language_names import name_language

    lists = count_words(by_language)
    rows = [
        (name_language(code), code, sum(words.values()), len(words)) for code, words in sorted(lists.items())
    ]
    table = ResultTable("Words", ["language", "code", "words", "different"], rows)
    write_plot(
        Analysis({}, [table], dict, plot=lambda: make_zipf_figure(lists)), plot, "Words by rank and share"
    )
