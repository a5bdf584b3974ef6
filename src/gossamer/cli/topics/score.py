"""`gossamer topics score`: the probability that pages and files are about a topic."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

_EVEN_ODDS = 0.5

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.text.topics import Example, TopicModel


def score(
    what: Annotated[
        list[str], typer.Argument(help="URLs of pages in the web, files or folders; - is standard input.")
    ],
    topic: Annotated[
        list[str] | None,
        typer.Option("--topic", help="A topic of the web; may be repeated. [default: all]"),
    ] = None,
    sentences: Annotated[
        bool, typer.Option("--sentences", help="Score each sentence, and print those about a topic.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Score pages of the web, files or texts: the probability that they are about a topic.

    \b
    gossamer topics score http://example.org/haydn --topic haydn --web docs.web
    gossamer topics score letter.txt page.html --json --web docs.web
    gossamer topics score letter.txt --sentences --topic haydn --web docs.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import clean_text, print_table

    models = _load_models(web, topic or ())
    pages = _read_pages(web, what)
    rows = []
    for name, page in _split_sentences(pages, models) if sentences else pages:
        chances = {topic: model.relevance_many([page])[0] for topic, model in models.items()}
        if json:
            print_json({"name": name, "title": page.title, "relevance": chances})
        cells = [f"{chance:.4f}" for chance in chances.values()]
        rows.append((*cells, clean_text(name, 80), clean_text(page.title, 40)))
    if not json:
        print_table("Probability of each topic", [*models, "name", "title"], rows)
    return 0


def _split_sentences(
    pages: "Iterator[tuple[str, Example]]", models: "dict[str, TopicModel]"
) -> "Iterator[tuple[str, Example]]":
    """Yield the sentences of pages that are about one of the topics, as pages without a title; the sentence is the name."""
    from gossamer.text.hot.text_memory import split_sentences
    from gossamer.text.topics.training_example import Example

    for _, page in pages:
        parts = [Example(sentence) for sentence in split_sentences(page.text)]
        chances = [model.relevance_many(parts) for model in models.values()] if parts else []
        for part, *found in zip(parts, *chances, strict=True):
            if max(found) >= _EVEN_ODDS:
                yield part.text, part


def _load_models(web: Path, names: Sequence[str]) -> "dict[str, TopicModel]":
    from gossamer.store.model_folder import topic_model, topic_names
    from gossamer.store.opening.web_name import name_web, quote_web
    from gossamer.web import check_web

    check_web(web)
    selected = names or topic_names(web)
    if not selected:
        raise BadInput(
            f"{name_web(web)} has no topics yet; `gossamer topics train NAME --web {quote_web(web)}` trains one"
        )
    return {name: topic_model(web, name) for name in selected}


def _read_pages(web: Path, what: list[str]) -> "Iterator[tuple[str, Example]]":
    from gossamer.cli.input_files import STANDARD_INPUT, read_bytes
    from gossamer.topic_training.example_sources import read_body, read_files

    for one in what:
        path = Path(one)
        if path != STANDARD_INPUT and not path.exists():
            yield _find_page(web, one)
            continue
        found = list(read_body(read_bytes(path), one) if path == STANDARD_INPUT else read_files(path))
        if not found:
            raise BadInput(f"{one} has no text; name text or HTML files, or a folder of them")
        yield from ((one, page) for page in found)


def _find_page(web: Path, typed: str) -> "tuple[str, Example]":
    """Return a page of the web, by a URL that may lack its scheme."""
    from gossamer.cli.typed_url import find_url_or_file
    from gossamer.crawl.from_archive.topic_examples import TopicExamples
    from gossamer.topic_training.example_sources import find_page
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        url = find_url_or_file(opened.store, typed)
        if "://" not in url:
            raise BadInput(f"there is no file {typed}, and the web has no page with this URL")
        return url, find_page(TopicExamples(opened.store, opened.folder / "archive"), url)
