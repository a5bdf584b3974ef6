"""`gossamer topics score`: how probably pages and files are about a topic."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.text.topics import Example, TopicModel


def score(
    what: Annotated[
        list[str], typer.Argument(help="A page of the web, a file or a folder; - is standard input.")
    ],
    topic: Annotated[
        list[str] | None,
        typer.Option("--topic", help="Of the web; several may be. [default: all that it has]"),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Say how probably pages of the web, files or texts are about a topic.

    \b
    gossamer topics score http://example.org/haydn --topic haydn --web docs.web
    gossamer topics score letter.txt page.html --json --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import clean_text, print_table

    models = _models(web, topic or ())
    rows = []
    for called, page in _pages(web, what):
        chances = {name: model.relevance_many([page])[0] for name, model in models.items()}
        if json:
            print_json({"name": called, "title": page.title, "relevance": chances})
        told = [f"{chance:.4f}" for chance in chances.values()]
        rows.append((*told, clean_text(called, 80), clean_text(page.title, 40)))
    if not json:
        print_table("How probably about", [*models, "name", "title"], rows)
    return 0


def _models(web: Path, names: Sequence[str]) -> "dict[str, TopicModel]":
    from gossamer.store.model_folder import topic_model, topic_names
    from gossamer.web import check_web

    check_web(web)
    chosen = names or topic_names(web)
    if not chosen:
        raise BadInput(f"{web} has no topics yet; `gossamer topics train NAME --web {web}` makes one")
    return {name: topic_model(web, name) for name in chosen}


def _pages(web: Path, what: list[str]) -> "Iterator[tuple[str, Example]]":
    from gossamer.cli.language.language_options import STANDARD_INPUT, read_bytes
    from gossamer.crawl.archive.topic_examples import TopicExamples
    from gossamer.topic_training.example_sources import find_page, read_body, read_files
    from gossamer.web import open_to_read

    for one in what:
        path = Path(one)
        if "://" in one:
            with open_to_read(web) as opened:
                yield one, find_page(TopicExamples(opened.store, opened.folder / "archive"), one)
        elif path == STANDARD_INPUT or path.exists():
            found = list(read_body(read_bytes(path), one) if path == STANDARD_INPUT else read_files(path))
            if not found:
                raise BadInput(f"there is no text in {one}: name text or HTML files, or a folder with some")
            yield from ((one, page) for page in found)
        else:
            raise BadInput(f"there is no file {one}; write pages of the web as whole URLs, with http://")
