"""Options and inputs that the verbs of `gossamer language` share: model, languages, texts."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.input_files import check_readable
from gossamer.cli.task_options import parse_web
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    from gossamer.plots.canvas import Figure
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.word_lists import WordList

_ZIPF_SHARE = 0.0006
_FEWEST_WORDS = 200


def complete_codes(incomplete: str) -> list[tuple[str, str]]:
    """Complete the last code of a list such as `da,n`; return codes with the names of their languages."""
    from gossamer.text.language.language_names import name_language
    from gossamer.text.language.model.model import Model

    before, comma, start = incomplete.rpartition(",")
    return [
        (before + comma + code, name_language(code))
        for code in Model.load().languages
        if code.startswith(start)
    ]


# Not from the environment: with GOSSAMER_WEB set, text from a pipe would be ignored.
OptionalWeb = Annotated[
    Path | None,
    typer.Option(
        "--web", parser=parse_web, metavar="WEB", help="A web: use its pages, and the model trained from it."
    ),
]
ModelFile = Annotated[
    Path | None, typer.Option("--model", help="A model written by `gossamer language train --out`.")
]
Languages = Annotated[
    str,
    typer.Option(
        "--languages",
        help="Consider only these languages, such as da,nb.",
        autocompletion=complete_codes,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", help="Draw the word frequencies of the languages: .svg, .png or .html."),
]


def load_model(web: Path | None, file: Path | None) -> "Model":
    """Load the model file if given, else the model of the web, else the shipped model."""
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.model.model import Model

    if file is not None:
        check_readable(file)
        return Model.load(file)
    return language_model(web) if web is not None else Model.load()


def parse_languages(languages: str, model: "Model") -> tuple[str, ...] | None:
    """Parse codes such as `da,nb`; return None for all languages."""
    from gossamer.text.language.language_codes import resolve_languages

    return resolve_languages([languages], model) or None


def extract_text(body: bytes, name: str) -> str:
    """Return the main text of HTML, and the whole content of any other file."""
    from gossamer.net import html, media_type
    from gossamer.net.encoding import decode

    if media_type.detect_kind(None, body, name) == "html":
        document = html.read(body, name)
        return html.main_text(document) or document.text
    return decode(body)[0]


def make_zipf_figure(lists: "Mapping[str, WordList]") -> "Figure":
    """Draw the word frequencies of languages: English first, then those with the most words.

    Languages written without spaces come last; their curves show characters.
    Source: Stein 1997, figure 4.1.
    """
    from gossamer.plots.zipf import MOST_CURVES, draw_frequencies
    from gossamer.text.language.language_names import name_language
    from gossamer.text.language.training.word_lists import compute_frequencies, is_unspaced

    totals = {code: sum(words.values()) for code, words in lists.items()}
    units = {
        code: "characters" if is_unspaced(max(words, key=words.__getitem__)) else "words"
        for code, words in lists.items()
        if words
    }
    ranked = sorted(units, key=lambda code: (code != "en", units[code] != "words", -totals[code], code))
    shown = [code for code in ranked if totals[code] >= _FEWEST_WORDS][:MOST_CURVES]
    if not shown:
        raise BadInput(f"--plot: no language has the {_FEWEST_WORDS} words that a curve needs")
    curves = {
        f"{name_language(code)} ({totals[code]:,} {units[code]})": compute_frequencies(lists[code])
        for code in shown
    }
    return draw_frequencies(curves, "Words by rank and share", (_ZIPF_SHARE, "Zipf words are above 0.06 %"))


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def count_words(labelled: Iterable[tuple[str, str]]) -> "dict[str, WordList]":
    """Count words by language, from pairs of language and text."""
    from gossamer.text.language.training.word_lists import count_words

    texts: dict[str, list[str]] = {}
    for code, text in labelled:
        texts.setdefault(code, []).append(text)
    return {code: count_words(some) for code, some in texts.items()}
