"""`gossamer language train`: a recogniser that knows the words of one's own crawl."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.language.language_options import ModelFile, Plot, zipf_figure
from gossamer.cli.task_options import Json
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.cli.output.result_tables import VerbResult
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.collect_sentences import SentenceSample
    from gossamer.text.language.training.evaluate_model import Evaluation
    from gossamer.text.language.training.train_model import TrainingResult


def train(
    web: Annotated[
        Path | None,
        typer.Option(
            "--web", help="A collection to learn from; its model goes there.", envvar="GOSSAMER_WEB"
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            help="A language and a folder of texts in it, new or not: fo=texts.",
            metavar="CODE=FOLDER",
        ),
    ] = None,
    from_nothing: Annotated[
        bool, typer.Option("--from-nothing", help="Without the shipped lists: from these sentences alone.")
    ] = False,
    model: ModelFile = None,
    rounds: Annotated[int, typer.Option("--rounds", help="How often lists are cleaned.", min=1)] = 3,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the model there instead of into the web.")
    ] = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Learn languages from the pages of a web, or from texts.

    Pages are sorted by the country of their domain and by what they declare. Sentences that are clearly in one
    language make its list, which is mixed with the shipped one. Every fifth page is kept back to measure the gain.

    \b
    gossamer language train --web docs.web
    gossamer language train --web docs.web --from-nothing --plot words.svg
    gossamer language train --web docs.web --add fo=faroese-texts
    gossamer language train --add fo=faroese-texts --out fo.bin
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_progress, show_result
    from gossamer.text.language.training.train_model import train as trained

    folders = [_added(one) for one in add or ()]
    check_plot(plot)
    _check_target(web, out)
    base = _base(model, from_nothing)
    with show_progress("Training") as progress:
        result = trained(
            _collected(web, folders, progress), base, rounds, lambda part: progress(0.3 + 0.7 * part)
        )
    path = _saved(result.model, web, out)
    told = _told(result, path, from_nothing)
    if plot is not None:
        write_plot(told, plot, "Words by rank and share")
    show_result(told, None, json, None, plot)
    return 0


def _added(told: str) -> tuple[str, Path]:
    from gossamer.text.language.language_names import parse_code

    code, equals, folder = told.partition("=")
    if not equals or not folder:
        raise BadInput(f"--add {told}: write a language and a folder of texts, such as fo=texts")
    if not parse_code(code):
        raise BadInput(f"--add {told}: {code!r} is no code of a language, such as fo for Faroese")
    return parse_code(code), Path(folder)


def _check_target(web: Path | None, out: Path | None) -> None:
    """Refuse what cannot be written before anything long is begun."""
    if out is not None:
        from gossamer.cli.output.result_tables import check_file

        check_file("--out", out, ".bin")
    elif web is None:
        raise BadInput("name a web to learn from (--web), or texts (--add) and a file for the model (--out)")


def _saved(model: "Model", web: Path | None, out: Path | None) -> Path:
    from gossamer.store.model_folder import keep_language_model, write_model

    if out is not None:
        write_model(model, out)
        return out
    return keep_language_model(model, web or Path())


def _base(model: Path | None, from_nothing: bool) -> "Model | None":
    from gossamer.cli.language.language_options import model_for

    if model is not None and from_nothing:
        raise BadInput("--model and --from-nothing exclude each other: a model is something")
    # A web's own model is made anew of the shipped one, so that its pages do not count twice.
    return None if from_nothing else model_for(None, model)


def _collected(web: Path | None, folders: list[tuple[str, Path]], progress: Any) -> "SentenceSample":
    from gossamer.crawl.archive.language_samples import collect_from_folder, collect_from_web
    from gossamer.text.language.training.collect_sentences import SentenceCollector
    from gossamer.web import open_to_read

    collector = SentenceCollector()
    for code, folder in folders:
        collect_from_folder(code, folder, collector)
    if web is not None:
        with open_to_read(web) as opened:
            archive = opened.folder / "archive"
            collect_from_web(opened.store, archive, collector, lambda part: progress(0.3 * part))
    return collector.to_sample()


def _told(result: "TrainingResult", path: Path, from_nothing: bool) -> "VerbResult":
    from gossamer.cli.output.result_tables import ResultTable, VerbResult
    from gossamer.text.language.language_names import name_language

    before, after = result.before.languages, result.after.languages
    rows = [
        (
            name_language(code),
            code,
            one.pages,
            one.sentences,
            one.kept,
            one.words,
            one.new_words,
            f"{before[code].accuracy:.1%}" if code in before else "",
            f"{after[code].accuracy:.1%}" if code in after else "",
        )
        for code, one in result.languages.items()
    ]
    columns = ["language", "code", "pages", "sentences", "clear", "words", "new", "before", "after"]
    return VerbResult(
        _facts(result, path),
        [ResultTable("Learnt", columns, rows)],
        dict,
        _notes(result, path, from_nothing),
        lambda: zipf_figure(result.lists),
    )


def _facts(result: "TrainingResult", path: Path) -> dict[str, Any]:
    import msgspec

    def accuracies(found: "Evaluation") -> dict[str, Any]:
        by_language = {code: one.accuracy for code, one in found.languages.items()}
        return {
            "accuracy": found.accuracy,
            "macro_accuracy": found.macro_accuracy,
            "languages": by_language,
        }

    return {
        "model": str(path),
        "languages": msgspec.to_builtins(result.languages),
        "left_out": result.left_out,
        "rounds": result.rounds,
        "kept_back": result.after.texts,
        "before": accuracies(result.before),
        "after": accuracies(result.after),
    }


def _notes(result: "TrainingResult", path: Path, from_nothing: bool) -> list[str]:
    from gossamer.cli.output.wording import format_bytes, format_count
    from gossamer.text.language.language_names import name_language

    notes = []
    if result.after.texts:
        first = "lists that were not cleaned" if from_nothing else "the model before"
        notes.append(
            f"Of {format_count(result.after.texts, 'sentence')} that were kept back, {first} recognised "
            f"{result.before.accuracy:.2%} and this one {result.after.accuracy:.2%} "
            f"(mean of the languages: {result.before.macro_accuracy:.2%} and {result.after.macro_accuracy:.2%})."
        )
    else:
        notes.append(
            "No page could be kept back to measure the gain: none has a domain and marks that agree."
        )
    if result.left_out:
        names = ", ".join(f"{name_language(code)} ({number:,})" for code, number in result.left_out.items())
        notes.append(f"Too few sentences to learn from: {names}.")
    notes.append(f"The model is in {path}, {format_bytes(path.stat().st_size)}.")
    return notes
