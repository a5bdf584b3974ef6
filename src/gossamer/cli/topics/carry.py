"""`gossamer topics export` and `import`: carry a topic from one web to another."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput


def export_topic(
    name: Annotated[str, typer.Argument(help="Name of the topic.")],
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Write a topic of the web to a file, for another web or another machine.

    \b
    gossamer topics export haydn haydn.topic --web docs.web
    """
    from gossamer.atomic_file import write_atomically
    from gossamer.store.model_folder import topic_model
    from gossamer.web import check_web

    check_web(web)
    content = topic_model(web, name).save()
    if file.exists():
        raise BadInput(f"{file} exists already: name a new file")
    try:
        with write_atomically(file) as new:
            new.write_bytes(content)
    except OSError as error:
        raise BadInput(
            f"{file} cannot be written: {error.strerror}; name a file in an existing folder"
        ) from None
    _say_done(
        f"The topic {name} is in {file}.", {"name": name, "file": str(file), "bytes": len(content)}, json
    )
    return 0


def import_topic(
    file: Annotated[Path, typer.Argument(help="A file that `gossamer topics export` wrote.")],
    name: Annotated[
        str, typer.Option("--name", help="Name of the topic in this web. [default: the name of the file]")
    ] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Replace a topic of the same name.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Create the web if there is none.")] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Take over a topic from a file, so that crawls, samples and scores of this web can use it.

    \b
    gossamer topics import haydn.topic --web other.web
    gossamer topics import haydn.topic --name composers --new --web new.web
    """
    from gossamer.cli.topics.train import open_web_for_topic
    from gossamer.store.model_folder import check_topic_name, keep_topic_model, topic_names
    from gossamer.store.opening.web_name import name_web
    from gossamer.text.topics import TopicModel

    chosen = name or file.stem
    check_topic_name(chosen)
    try:
        model = TopicModel.load(file.read_bytes(), str(file))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from None
    with open_web_for_topic(web, new):
        if chosen in topic_names(web) and not replace:
            raise BadInput(
                f"the web at {name_web(web)} has a topic {chosen!r} already: use --replace, or another name with --name"
            )
        path = keep_topic_model(model, web, chosen)
    facts = {"name": chosen, "model": str(path), "examples": model.card.examples, "kind": model.kind}
    _say_done(f"The web at {name_web(web)} has the topic {chosen} now.", facts, json)
    return 0


def _say_done(sentence: str, facts: dict[str, object], json: bool) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console

    if json:
        print_json(facts)
    else:
        console.print(sentence, markup=False, highlight=False)
