"""`gossamer language detect`: name the language of files, lines or pages of a web."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gossamer.cli.input_files import STANDARD_INPUT, check_readable, read_bytes
from gossamer.cli.language.language_options import (
    Languages,
    ModelFile,
    OptionalWeb,
    Plot,
    count_words,
    extract_text,
    load_model,
    make_zipf_figure,
    parse_languages,
    split_lines,
)
from gossamer.cli.task_options import Json

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.text.language.verdict import Verdict

_NAME_WIDTH = 18
_SOURCE_CHARS = 300


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

    Without files, the texts are the pages of --web, or else standard input.

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
    for one in _read_texts(files or [], web, lines):
        verdict = detect_language(one.text, allowed, known)
        _show(one, verdict, json)
        if plot is not None and verdict.language:
            by_language.append((verdict.language, one.text))
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
    from gossamer.crawl.from_archive.archived_pages import read_archived_pages
    from gossamer.net import html
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        for page, document in read_archived_pages(opened.store, opened.folder / "archive"):
            yield _InputText(page.url, html.main_text(document) or document.text)


def _show(one: _InputText, verdict: "Verdict", json: bool) -> None:
    from gossamer.text.language.language_names import name_language

    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(_make_facts(one.source, verdict))
        return
    from gossamer.cli.output.tables import clean_text, console

    second = verdict.candidates[1] if len(verdict.candidates) > 1 else None
    also = f"{name_language(second.language)} {second.share:.1%}" if second else ""
    kind = "running text" if verdict.running else "no running text" if verdict.language else ""
    name = f"{name_language(verdict.language):{_NAME_WIDTH}} {verdict.language or '':4}"
    share = f"{verdict.confidence:6.1%}" if verdict.language else ""
    source = clean_text(one.source, _SOURCE_CHARS)
    console.print(f"{name} {share:6}  {kind:15}  {also:25} {source}".rstrip())


def _make_facts(source: str, verdict: "Verdict") -> dict[str, Any]:
    import msgspec

    from gossamer.text.language.language_names import name_language

    return {"source": source, "name": name_language(verdict.language), **msgspec.to_builtins(verdict)}


def _draw(by_language: list[tuple[str, str]], plot: Path) -> None:
    from gossamer.cli.output.plot_files import write_plot
    from gossamer.cli.output.result_tables import ResultTable, VerbResult
    from gossamer.text.language.language_names import name_language

    lists = count_words(by_language)
    rows = [
        (name_language(code), code, sum(words.values()), len(words)) for code, words in sorted(lists.items())
    ]
    table = ResultTable("Words", ["language", "code", "words", "different"], rows)
    write_plot(
        VerbResult({}, [table], dict, plot=lambda: make_zipf_figure(lists)), plot, "Words by rank and share"
    )
