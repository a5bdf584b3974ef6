"""What the verbs of `gossamer language` share: which model, which languages, which texts."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verbs when they run: help has to answer at once
    from gossamer.plots.canvas import Figure
    from gossamer.text.language.model.model import Model
    from gossamer.text.language.training.word_lists import WordList

STANDARD_INPUT = Path("-")
_ZIPF_SHARE = 0.0006
_FEWEST_WORDS = 200


def codes_like(incomplete: str) -> list[tuple[str, str]]:
    """Complete the last of several codes, each with the name of its language."""
    from gossamer.text.language.language_names import name_language
    from gossamer.text.language.model.model import Model

    before, comma, begun = incomplete.rpartition(",")
    return [
        (before + comma + code, name_language(code))
        for code in Model.load().languages
        if code.startswith(begun)
    ]


# Not from the environment: whoever pipes a text in would get the pages of a web instead.
OptionalWeb = Annotated[
    Path | None,
    typer.Option("--web", help="A collection: its pages, and the model that was trained from it."),
]
ModelFile = Annotated[
    Path | None, typer.Option("--model", help="A model that `gossamer language train --out` wrote.")
]
Languages = Annotated[
    str,
    typer.Option(
        "--languages",
        help="Only these languages come into question, such as da,nb.",
        autocompletion=codes_like,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", help="Draw the word frequencies of the languages there: .svg, .png or .html."),
]


def model_for(web: Path | None, file: Path | None) -> "Model":
    """Return the model that was named, that of the web, or the shipped one."""
    from gossamer.store.model_folder import language_model
    from gossamer.text.language.model.model import Model

    if file is not None:
        check_readable(file)
        return Model.load(file)
    return language_model(web) if web is not None else Model.load()


def chosen(languages: str, model: "Model") -> tuple[str, ...] | None:
    """Return the languages that were named; None for all."""
    from gossamer.text.language.language_codes import resolve_languages

    return resolve_languages([languages], model) or None


def check_readable(path: Path) -> None:
    """Refuse what cannot be read as a file, in one sentence."""
    if path == STANDARD_INPUT:
        return
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name files in it, such as {path}/*.txt")
    if not path.exists():
        raise BadInput(f"there is no file {path}")


def read_bytes(path: Path) -> bytes:
    """Read a file, or standard input."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def text_of(body: bytes, name: str) -> str:
    """Return the text of a file: of HTML its main text, of other texts all of it, as it is for whatever else."""
    from gossamer.net import html, media_type
    from gossamer.net.encoding import decode

    if media_type.detect_kind(None, body, name) == "html":
        document = html.read(body, name)
        return html.main_text(document) or document.text
    return decode(body)[0]


def zipf_figure(lists: "Mapping[str, WordList]") -> "Figure":
    """Draw the word frequencies of languages side by side: English first, then those with most words.

    Languages without spaces come last: their curves are those of characters.
    Source: seed 003, figure 4.1.
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
    drawn = [code for code in ranked if totals[code] >= _FEWEST_WORDS][:MOST_CURVES]
    if not drawn:
        raise BadInput(f"--plot: no language has {_FEWEST_WORDS} words here, too few for a curve")
    curves = {
        f"{name_language(code)} ({totals[code]:,} {units[code]})": compute_frequencies(lists[code])
        for code in drawn
    }
    return draw_frequencies(curves, "Words by rank and share", (_ZIPF_SHARE, "Zipf words are above 0.06 %"))


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not empty, with their numbers."""
    yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def counted_by(labelled: Iterable[tuple[str, str]]) -> "dict[str, WordList]":
    """Count the words of texts by their languages."""
    from gossamer.text.language.training.word_lists import count_words

    texts: dict[str, list[str]] = {}
    for code, text in labelled:
        texts.setdefault(code, []).append(text)
    return {code: count_words(some) for code, some in texts.items()}
