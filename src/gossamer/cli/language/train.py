"""`gossamer language train`: train a language model from a crawl or from texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.language.language_options import ModelFile, Plot
from gossamer.cli.task_options import Json, parse_web
from gossamer.errors import BadInput
from gossamer.reports.word_frequencies import make_zipf_figure

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.reports.analysis import Analysis
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.collect_sentences import SentenceSample
    from gossamer.text.language.training.evaluate_model import Evaluation
    from gossamer.text.language.training.train_model import TrainingResult


def train(
    web: Annotated[
        Path | None,
        typer.Option(
            "--web",
            parser=parse_web,
            metavar="WEB",
            help="A web to learn from; the model is stored in it.",
            envvar="GOSSAMER_WEB",
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            help="Learn a language, new or known, from a folder of texts: fo=texts.",
            metavar="CODE=FOLDER",
        ),
    ] = None,
    from_nothing: Annotated[
        bool,
        typer.Option(
            "--from-nothing", help="Ignore the shipped word lists; learn from these sentences alone."
        ),
    ] = False,
    model: ModelFile = None,
    rounds: Annotated[int, typer.Option("--rounds", help="How often the word lists are cleaned.", min=1)] = 3,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the model to this file instead of the web.")
    ] = None,
    plot: Plot = None,
    json: Json = False,
) -> int:
    """Train a language model from the pages of a web or from texts.

    Pages are assigned to languages by the country of their domain and by what they declare. Sentences that are
    clearly in one language make its word list, which is mixed with the shipped list. Every fifth page is held out to
    measure the gain.

    \b
    gossamer language train --web docs.web
    gossamer language train --web docs.web --from-nothing --plot words.svg
    gossamer language train --web docs.web --add fo=faroese-texts
    gossamer language train --add fo=faroese-texts --out fo.bin
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_progress, show_result
    from gossamer.text.language.training.train_model import train as train_model

    folders = [_parse_addition(one) for one in add or ()]
    check_plot(plot)
    _check_target(web, out)
    base = _load_base(model, from_nothing)
    with show_progress("Training") as progress:
        trained = train_model(
            _collect_sentences(web, folders, progress), base, rounds, lambda part: progress(0.3 + 0.7 * part)
        )
    path = _save_model(trained.model, web, out)
    result = _make_result(trained, path, from_nothing)
    if plot is not None:
        write_plot(result, plot, "Words by rank and share")
    show_result(result, None, json, None, plot)
    return 0


def _parse_addition(text: str) -> tuple[str, Path]:
    from gossamer.text.language.language_names import parse_code

    code, equals, folder = text.partition("=")
    if not equals or not folder:
        raise BadInput(f"--add {text}: write a language code and a folder of texts, such as fo=texts")
    if not parse_code(code):
        raise BadInput(f"--add {text}: {code!r} is not a language code, such as fo for Faroese")
    return parse_code(code), Path(folder)


def _check_target(web: Path | None, out: Path | None) -> None:
    """Raise `BadInput` if the model cannot be written, before any long work starts."""
    if out is not None:
        from gossamer.cli.output.result_tables import check_file

        check_file("--out", out, ".bin")
    elif web is None:
        raise BadInput("give a web to learn from (--web), or texts (--add) and a file for the model (--out)")


def _save_model(model: "Model", web: Path | None, out: Path | None) -> Path:
    from gossamer.store.model_folder import keep_language_model, write_model

    if out is not None:
        write_model(model, out)
        return out
    return keep_language_model(model, web or Path())


def _load_base(model: Path | None, from_nothing: bool) -> "Model | None":
    from gossamer.cli.language.language_options import load_model

    if model is not None and from_nothing:
        raise BadInput("--model and --from-nothing exclude each other")
    # The model of a web starts from the shipped one each time, so that its pages do not count twice.
    return None if from_nothing else load_model(None, model)


def _collect_sentences(web: Path | None, folders: list[tuple[str, Path]], progress: Any) -> "SentenceSample":
    from gossamer.crawl.from_archive.language_samples import collect_from_folder, collect_from_web
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


def _make_result(trained: "TrainingResult", path: Path, from_nothing: bool) -> "Analysis":
    from gossamer.reports.analysis import Analysis, ResultTable
    from gossamer.text.language.language_names import name_language

    before, after = trained.before.languages, trained.after.languages
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
        for code, one in trained.languages.items()
    ]
    columns = ["language", "code", "pages", "sentences", "clear", "words", "new", "before", "after"]
    return Analysis(
        _make_facts(trained, path),
        [ResultTable("Learnt", columns, rows)],
        dict,
        _write_notes(trained, path, from_nothing),
        lambda: make_zipf_figure(trained.lists),
    )


def _make_facts(trained: "TrainingResult", path: Path) -> dict[str, Any]:
    import msgspec

    def list_accuracies(found: "Evaluation") -> dict[str, Any]:
        by_language = {code: one.accuracy for code, one in found.languages.items()}
        return {
            "accuracy": found.accuracy,
            "macro_accuracy": found.macro_accuracy,
            "languages": by_language,
        }

    return {
        "model": str(path),
        "languages": msgspec.to_builtins(trained.languages),
        "left_out": trained.left_out,
        "rounds": trained.rounds,
        "kept_back": trained.after.texts,
        "before": list_accuracies(trained.before),
        "after": list_accuracies(trained.after),
    }


def _write_notes(trained: "TrainingResult", path: Path, from_nothing: bool) -> list[str]:
    from gossamer.cli.output.wording import format_bytes, format_count
    from gossamer.store.opening.web_name import name_file
    from gossamer.text.language.language_names import name_language

    notes = []
    if trained.after.texts:
        first = "uncleaned lists" if from_nothing else "the model before"
        notes.append(
            f"Of {format_count(trained.after.texts, 'sentence')} held out, {first} recognised "
            f"{trained.before.accuracy:.2%} and the new one {trained.after.accuracy:.2%} "
            f"(mean of the languages: {trained.before.macro_accuracy:.2%} and {trained.after.macro_accuracy:.2%})."
        )
    else:
        notes.append(
            "No page could be held out to measure the gain: none has a domain and a declaration that agree."
        )
    if trained.left_out:
        names = ", ".join(f"{name_language(code)} ({number:,})" for code, number in trained.left_out.items())
        notes.append(f"Too few sentences to learn from: {names}.")
    notes.append(f"The model is in {name_file(path)}, {format_bytes(path.stat().st_size)}.")
    return notes
