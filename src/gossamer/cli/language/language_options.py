"""Options and inputs that the verbs of `gossamer language` share: model, languages, texts."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.input_files import check_readable
from gossamer.cli.task_options import parse_web

if TYPE_CHECKING:  # imported when a verb runs, so that help stays quick
    from gossamer.text.language.model.model import Model


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


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
