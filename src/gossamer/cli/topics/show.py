"""`gossamer topics show`: what a topic was learnt from, how well it is told, and by which words."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.output.result_tables import ResultTable, VerbResult
from gossamer.cli.output.wording import format_bytes, format_count
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.text.topics.model_file import Bin, Card, HeldOutResult

Plot = Annotated[
    Path | None, typer.Option("--plot", help="Draw calibration and words there: .svg, .png or .html.")
]
_WORDS_SHOWN = 20


def show(
    name: Annotated[str, typer.Argument(help="Of the topic; without one, all topics of the web.")] = "",
    words: Annotated[
        int, typer.Option("--words", help="So many of the most telling words; 0 for all.", min=0)
    ] = _WORDS_SHOWN,
    plot: Plot = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show what a topic was learnt from: its most telling words, how well it does, and what its probabilities mean.

    Precision, recall and calibration come from pages that were kept back, each judged by a model that had not seen it.

    \b
    gossamer topics show --web docs.web
    gossamer topics show haydn --plot haydn.svg --web docs.web
    """
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import show_result as show_told
    from gossamer.store.model_folder import topic_path
    from gossamer.web import check_web

    check_plot(plot)
    check_web(web)
    if not name:
        show_told(_all_told(web), None, json, None)
        return 0
    card = _card(web, name)
    told = topic_told(name, card, words, topic_path(web, name))
    if plot is not None:
        write_plot(told, plot, f"The topic {name}")
    show_told(told, None, json, None, plot)
    return 0


def topic_told(name: str, card: "Card", words: int, path: Path, more: Sequence[str] = ()) -> VerbResult:
    """Lay out what a topic says of itself."""
    import msgspec

    from gossamer.cli.output.tables import clean_text

    def draw() -> Any:
        from gossamer.cli.topics.topic_plots import topic_figure

        return topic_figure(name, card)

    rows = [(clean_text(word, 40), f"{says:+.2f}") for word, says in chosen_words(card, words)]
    size_bytes = path.stat().st_size
    facts = {"name": name, "model": str(path), "size_bytes": size_bytes, **msgspec.to_builtins(card)}
    notes = [*_learnt_notes(card), *more, f"The model is in {path}, {format_bytes(size_bytes)}."]
    tables = [ResultTable("Most telling words", ["word", "says"], rows), *_calibration(card.tried)]
    return VerbResult(facts, tables, dict, notes, draw)


def chosen_words(card: "Card", most: int) -> list[tuple[str, float]]:
    """Return the words that speak most for a topic and against it, as many as asked for in all."""
    for_it = [pair for pair in card.words if pair[1] > 0]
    against_it = [pair for pair in card.words if pair[1] < 0]
    if not most:
        return [*for_it, *against_it]
    few = against_it[: most // 4]
    return [*for_it[: most - len(few)], *reversed(few)]


def _learnt_notes(card: "Card") -> list[str]:
    notes = [f"A {card.kind} model of {format_count(card.examples, 'example')} and {card.against:,} against."]
    tried = card.tried
    if tried is None:
        return [*notes, "Too few examples to keep some back: nobody knows how well it does."]
    return [
        *notes,
        f"Of {format_count(tried.pages, 'page')} kept back in {tried.folds} turns: precision {tried.precision:.1%}, "
        f"recall {tried.recall:.1%}, accuracy {tried.accuracy:.1%}, average precision {tried.average_precision:.3f}.",
    ]


def _calibration(tried: "HeldOutResult | None") -> list[ResultTable]:
    bins: Sequence[Bin] = tried.bins if tried else ()
    rows = [(f"{one.foreseen:.1%}", f"{one.found:.1%}", f"{one.pages:,}") for one in bins]
    return [ResultTable("What probabilities mean", ["foreseen", "found", "pages"], rows)]


def _card(web: Path, name: str) -> "Card":
    from gossamer.store.model_folder import topic_model

    return topic_model(web, name).card


def _all_told(web: Path) -> VerbResult:
    from gossamer.store.model_folder import topic_names

    cards = {name: _card(web, name) for name in topic_names(web)}
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
    facts = {"topics": [_brief(name, card) for name, card in cards.items()]}
    notes = [] if cards else [f"{web} has no topics yet; `gossamer topics train NAME --web {web}` makes one."]
    return VerbResult(facts, [ResultTable("Topics", columns, rows)], dict, notes)


def _brief(name: str, card: "Card") -> dict[str, Any]:
    told = card.tried
    return {
        "name": name,
        "kind": card.kind,
        "examples": card.examples,
        "against": card.against,
        "precision": told.precision if told else None,
        "recall": told.recall if told else None,
    }
