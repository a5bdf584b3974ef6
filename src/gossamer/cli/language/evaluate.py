"""`gossamer language evaluate`: measure accuracy and confusions on texts with known languages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.input_files import STANDARD_INPUT, check_readable, read_bytes
from gossamer.cli.language.language_options import (
    Languages,
    ModelFile,
    OptionalWeb,
    Plot,
    load_model,
    parse_languages,
)
from gossamer.cli.task_options import Json
from gossamer.reports.word_frequencies import count_words, make_zipf_figure

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.reports.analysis import ResultTable
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.evaluate_model import Evaluation

_CONFUSIONS_SHOWN = 20


def evaluate(
    file: Annotated[
        Path | None,
        typer.Argument(help="Lines of language code, tab, text; - is standard input.", metavar="[FILE.tsv]"),
    ] = None,
    languages: Languages = "",
    web: OptionalWeb = None,
    model: ModelFile = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Measure how many texts with known languages are recognised.

    With --languages, texts in other languages are left out. Without a file, the texts are the sentences of --web that
    training holds out, or else standard input.

    \b
    gossamer language evaluate sentences.tsv
    gossamer language evaluate sentences.tsv --languages da,nb,nn --json
    gossamer language evaluate --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_result
    from gossamer.reports.analysis import Analysis
    from gossamer.text.language.training.evaluate_model import evaluate as evaluate_model

    if file is not None:
        check_readable(file)
    check_plot(plot)
    known = load_model(web, model)
    allowed = parse_languages(languages, known)
    pairs = [(code, text) for code, text in _read_labelled(file, web) if allowed is None or code in allowed]
    found = evaluate_model(pairs, known, allowed)
    result = Analysis(
        _make_facts(found),
        [_make_language_table(found), _make_confusion_table(found)],
        dict,
        _write_notes(found, known),
        lambda: make_zipf_figure(count_words(pairs)),
    )
    if plot is not None:
        write_plot(result, plot, "Words by rank and share")
    show_result(result, None, json, None, plot)
    return 0


def _read_labelled(file: Path | None, web: Path | None) -> list[tuple[str, str]]:
    from gossamer.errors import BadInput
    from gossamer.net.encoding import decode
    from gossamer.text.language.training.evaluate_model import read_labelled

    if file is None and web is not None:
        return _read_held_out(web)
    path = file or STANDARD_INPUT
    # Split at line feeds only: a text may contain other characters that Unicode treats as line ends.
    pairs = list(read_labelled(decode(read_bytes(path))[0].split("\n"), str(path)))
    if not pairs:
        raise BadInput(f"{path} has no texts to measure; write lines of language code, tab, text")
    return pairs


def _read_held_out(web: Path) -> list[tuple[str, str]]:
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.from_archive.language_samples import collect_from_web
    from gossamer.errors import BadInput
    from gossamer.text.language.training.collect_sentences import SentenceCollector
    from gossamer.web import open_to_read

    collector = SentenceCollector()
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        collect_from_web(opened.store, opened.folder / "archive", collector, progress)
    held_out = collector.to_sample().to_measure
    if not held_out:
        raise BadInput(
            f"no page of {opened.name} has sentences and a domain or declaration that names its language"
        )
    return [(code, text) for code, texts in held_out.items() for text in texts]


def _make_facts(found: "Evaluation") -> dict[str, Any]:
    return {
        "texts": found.texts,
        "accuracy": found.accuracy,
        "macro_accuracy": found.macro_accuracy,
        "languages": {
            code: {
                "texts": one.texts,
                "right": one.right,
                "accuracy": one.accuracy,
                "taken_for": one.taken_for,
            }
            for code, one in found.languages.items()
        },
    }


def _make_language_table(found: "Evaluation") -> "ResultTable":
    from gossamer.reports.analysis import ResultTable
    from gossamer.text.language.language_names import name_language

    rows = [
        (name_language(code), code, one.texts, one.right, f"{one.accuracy:.1%}")
        for code, one in found.languages.items()
    ]
    return ResultTable("Recognised", ["language", "code", "texts", "right", "accuracy"], rows)


def _make_confusion_table(found: "Evaluation") -> "ResultTable":
    from gossamer.reports.analysis import ResultTable, format_share
    from gossamer.text.language.language_names import name_language

    rows = [
        (name_language(code), name_language(taken), times, format_share(times, found.languages[code].texts))
        for code, taken, times in found.list_confusions()[:_CONFUSIONS_SHOWN]
    ]
    return ResultTable("Confusions", ["language", "taken for", "texts", "share"], rows)


def _write_notes(found: "Evaluation", model: "Model") -> list[str]:
    notes = [
        f"{found.accuracy:.2%} of {found.texts:,} texts are recognised; the mean of the languages is "
        f"{found.macro_accuracy:.2%}."
    ]
    if unknown := [code for code in found.languages if code not in model.languages]:
        notes.append(
            f"The model does not know {', '.join(unknown)}; `gossamer language train --add` adds a language."
        )
    return notes
