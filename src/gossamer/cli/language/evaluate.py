"""`gossamer language evaluate`: how many texts with known languages are recognised, and what is taken for what."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.language.language_options import (
    STANDARD_INPUT,
    Languages,
    ModelFile,
    OptionalWeb,
    Plot,
    check_readable,
    chosen,
    counted_by,
    model_for,
    read_bytes,
    zipf_figure,
)
from gossamer.cli.task_options import Json

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.cli.output.result_tables import ResultTable
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.evaluate_model import Evaluation

_CONFUSIONS_SHOWN = 20


def evaluate(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="Lines of a language, a tab and a text; - is standard input.", metavar="[FILE.tsv]"
        ),
    ] = None,
    languages: Languages = "",
    web: OptionalWeb = None,
    model: ModelFile = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Measure how many texts with known languages are recognised.

    With --languages, texts in others are left out. Without a file it takes the sentences of a web, if one is named, that training keeps back, or standard input.

    \b
    gossamer language evaluate sentences.tsv
    gossamer language evaluate sentences.tsv --languages da,nb,nn --json
    gossamer language evaluate --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import VerbResult, show_result
    from gossamer.text.language.training.evaluate_model import evaluate as evaluated

    if file is not None:
        check_readable(file)
    check_plot(plot)
    known = model_for(web, model)
    allowed = chosen(languages, known)
    pairs = [(code, text) for code, text in _labelled(file, web) if allowed is None or code in allowed]
    found = evaluated(pairs, known, allowed)
    told = VerbResult(
        _facts(found),
        [_languages(found), _confusions(found)],
        dict,
        _notes(found, known),
        lambda: zipf_figure(counted_by(pairs)),
    )
    if plot is not None:
        write_plot(told, plot, "Words by rank and share")
    show_result(told, None, json, None, plot)
    return 0


def _labelled(file: Path | None, web: Path | None) -> list[tuple[str, str]]:
    from gossamer.errors import BadInput
    from gossamer.net.encoding import decode
    from gossamer.text.language.training.evaluate_model import read_labelled

    if file is None and web is not None:
        return _kept_back(web)
    path = file or STANDARD_INPUT
    # Only line feeds end a line here: a text may hold any other character that Unicode lets end one.
    pairs = list(read_labelled(decode(read_bytes(path))[0].split("\n"), str(path)))
    if not pairs:
        raise BadInput(f"there is nothing to measure in {path}: write lines of a language, a tab and a text")
    return pairs


def _kept_back(web: Path) -> list[tuple[str, str]]:
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.archive.language_samples import collect_from_web
    from gossamer.errors import BadInput
    from gossamer.text.language.training.collect_sentences import SentenceCollector
    from gossamer.web import open_to_read

    collector = SentenceCollector()
    with open_to_read(web) as opened, show_progress("Reading pages") as progress:
        collect_from_web(opened.store, opened.folder / "archive", collector, progress)
    kept_back = collector.to_sample().to_measure
    if not kept_back:
        raise BadInput(f"no page of {web} has sentences and a domain or marks that tell its language")
    return [(code, text) for code, texts in kept_back.items() for text in texts]


def _facts(found: "Evaluation") -> dict[str, Any]:
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


def _languages(found: "Evaluation") -> "ResultTable":
    from gossamer.cli.output.result_tables import ResultTable
    from gossamer.text.language.language_names import name_language

    rows = [
        (name_language(code), code, one.texts, one.right, f"{one.accuracy:.1%}")
        for code, one in found.languages.items()
    ]
    return ResultTable("Recognised", ["language", "code", "texts", "right", "accuracy"], rows)


def _confusions(found: "Evaluation") -> "ResultTable":
    from gossamer.cli.output.result_tables import ResultTable, format_share
    from gossamer.text.language.language_names import name_language

    rows = [
        (name_language(code), name_language(taken), times, format_share(times, found.languages[code].texts))
        for code, taken, times in found.list_confusions()[:_CONFUSIONS_SHOWN]
    ]
    return ResultTable("Taken for another", ["language", "taken for", "texts", "share"], rows)


def _notes(found: "Evaluation", model: "Model") -> list[str]:
    notes = [
        f"{found.accuracy:.2%} of {found.texts:,} texts are recognised; the mean of the languages is "
        f"{found.macro_accuracy:.2%}."
    ]
    if unknown := [code for code in found.languages if code not in model.languages]:
        notes.append(
            f"The model does not know {', '.join(unknown)}; `gossamer language train --add` adds a language."
        )
    return notes
