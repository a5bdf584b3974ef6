"""`gossamer topics show`: the words, quality and calibration of a topic."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.output.wording import format_bytes, format_count
from gossamer.cli.task_options import Json, WebPath
from gossamer.reports.analysis import Analysis, ResultTable

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.text.topics.model_file import Bin, Card, HeldOutResult

Plot = Annotated[Path | None, typer.Option("--plot", help="Draw calibration and words: .svg, .png or .html.")]
_WORDS_SHOWN = 20
ENOUGH_EXAMPLES = 10
"""Fewer examples are not enough to measure precision and recall."""


def show(
    name: Annotated[str, typer.Argument(help="Name of the topic. [default: list all topics]")] = "",
    words: Annotated[
        int, typer.Option("--words", help="Number of the most typical words to show; 0 for all.", min=0)
    ] = _WORDS_SHOWN,
    plot: Plot = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show a topic: its examples, most typical words, quality and calibration.

    Precision, recall and calibration come from cross-validation: a model that had not seen a page scores it.

    \b
    gossamer topics show --web docs.web
    gossamer topics show haydn --plot haydn.svg --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_result
    from gossamer.store.model_folder import topic_path
    from gossamer.web import check_web

    check_plot(plot)
    check_web(web)
    if not name:
        show_result(_list_topics(web), None, json, None)
        return 0
    card = _load_card(web, name)
    result = make_topic_result(name, card, words, topic_path(web, name))
    if plot is not None:
        write_plot(result, plot, f"The topic {name}")
    show_result(result, None, json, None, plot)
    return 0


def make_topic_result(name: str, card: "Card", words: int, path: Path, more: Sequence[str] = ()) -> Analysis:
    """Make the result that shows one topic."""
    import msgspec

    from gossamer.cli.output.tables import clean_text
    from gossamer.store.opening.web_name import name_file

    def draw() -> Any:
        from gossamer.cli.topics.topic_plots import draw_topic

        return draw_topic(name, card)

    rows = [(clean_text(word, 40), f"{weight:+.2f}") for word, weight in select_words(card, words)]
    size_bytes = path.stat().st_size
    described = {key: value for key, value in msgspec.to_builtins(card).items() if key != "kept"}
    facts = {"name": name, "model": str(path), "size_bytes": size_bytes, **described}
    notes = [*_write_notes(card), *more, f"The model is in {name_file(path)}, {format_bytes(size_bytes)}."]
    tables = [
        ResultTable("Most typical words", ["word", "weight"], rows),
        *_make_calibration_table(card.tried),
    ]
    return Analysis(facts, tables, dict, notes, draw)


def select_words(card: "Card", most: int) -> list[tuple[str, float]]:
    """Return the strongest words for and against a topic, `most` in all; 0 returns all."""
    for_it = [pair for pair in card.words if pair[1] > 0]
    against_it = [pair for pair in card.words if pair[1] < 0]
    if not most:
        return [*for_it, *against_it]
    few = against_it[: most // 4]
    return [*for_it[: most - len(few)], *reversed(few)]


def _write_notes(card: "Card") -> list[str]:
    notes = [
        f"A {card.kind} model from {format_count(card.examples, 'example')} for the topic and {card.against:,} against it."
    ]
    tried = card.tried
    if tried is None:
        return [*notes, _explain_unknown_quality(card)]
    return [
        *notes,
        f"Of {format_count(tried.pages, 'page')} in {tried.folds}-fold cross-validation: precision {tried.precision:.1%}, "
        f"recall {tried.recall:.1%}, accuracy {tried.accuracy:.1%}, average precision {tried.average_precision:.3f}.",
    ]


def _explain_unknown_quality(card: "Card") -> str:
    few = card.examples < ENOUGH_EXAMPLES
    cause = (
        f"Too few examples ({card.examples}; {ENOUGH_EXAMPLES} are a start)"
        if few
        else "Too few real pages against it"
    )
    then = " A crawl adapts it to the pages that it reads." if card.kept else ""
    return f"{cause}: its quality is unknown, and its probabilities are rough.{then}"


def _make_calibration_table(tried: "HeldOutResult | None") -> list[ResultTable]:
    bins: Sequence[Bin] = tried.bins if tried else ()
    rows = [(f"{one.foreseen:.1%}", f"{one.found:.1%}", f"{one.pages:,}") for one in bins]
    return [ResultTable("Calibration", ["predicted", "observed", "pages"], rows)]


def _load_card(web: Path, name: str) -> "Card":
    from gossamer.store.model_folder import topic_model

    return topic_model(web, name).card


def _list_topics(web: Path) -> Analysis:
    from gossamer.store.model_folder import topic_names
    from gossamer.store.opening.web_name import name_web, quote_web

    cards = {name: _load_card(web, name) for name in topic_names(web)}
    rows = [
        (
            name,
            card.kind,
            f"{card.examples:,}",
            f"{card.against:,}",
            f"{card.tried.precision:.1%}" if card.tried else "",
            f"{card.tried.recall:.1%}" if card.tried else "",
        )
        for name, card in cards.items()
    ]
    columns = ["name", "kind", "examples", "against", "precision", "recall"]
    facts = {"topics": [_summarise(name, card) for name, card in cards.items()]}
    notes = (
        []
        if cards
        else [
            f"{name_web(web)} has no topics yet; `gossamer topics train NAME --web {quote_web(web)}` trains one."
        ]
    )
    return Analysis(facts, [ResultTable("Topics", columns, rows)], dict, notes)


def _summarise(name: str, card: "Card") -> dict[str, Any]:
    tried = card.tried
    return {
        "name": name,
        "kind": card.kind,
        "examples": card.examples,
        "against": card.against,
        "precision": tried.precision if tried else None,
        "recall": tried.recall if tried else None,
    }
